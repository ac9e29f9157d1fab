import fs from 'node:fs';
import path from 'node:path';
import { createStorage } from '../adapters/storage.ts';
import { freePorts } from './ports.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { type ServerProcess, startServer, untilReady } from './server-process.ts';
import { ensureTool, type Report } from './tools.ts';

/** An embedded S3-compatible server. Checks signatures; loopback only. */

export interface StorageOptions {
  readonly dataDir: string;
  readonly port?: number;
  readonly bucket?: string;
  readonly report?: Report;
}

export interface Storage {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly process: ServerProcess;
  readonly stop: () => Promise<void>;
}

const REGION = 'us-east-1';

/** Starts the server on its stored files and creates the bucket (default `quoting`) if it is missing. */
export async function startStorage(options: StorageOptions): Promise<Storage> {
  const dataDir = path.resolve(options.dataDir);
  const secrets = loadSecrets(dataDir);
  const command = await ensureTool('weed', options.report);
  const folder = path.join(dataDir, 'storage');
  const files = path.join(folder, 'files');
  fs.mkdirSync(files, { recursive: true, mode: 0o700 });
  const identities = writeSettings(folder, secrets);

  const ports = await choosePorts(options.port);
  const s3Port = ports['s3.port'];
  const server = await startServer({
    name: 'storage',
    dataDir,
    command,
    args: [
      // By default it logs to the system's temporary folder.
      `-logdir=${folder}`,
      'mini',
      [`-dir=${files}`, `-s3.config=${identities}`, '-ip=127.0.0.1', '-ip.bind=127.0.0.1'],
      ['-master.telemetry=false', '-webdav=false', '-admin.ui=false'],
      ['-s3.autoCreateBucket=false', '-s3.allowDeleteBucketNotEmpty=false'],
      Object.entries(ports).map(([name, port]) => `-${name}=${port}`),
      ['-s3.port.iceberg=0', '-s3.port.lance=0'],
    ].flat(),
    mark: files,
    env: { PATH: process.env['PATH'], HOME: folder, TZ: 'UTC' },
    cwd: folder, // where it looks for security.toml
  });
  void server.exited.then(() => removeSockets(ports));
  const storage = {
    endpoint: `http://127.0.0.1:${s3Port}`,
    region: REGION,
    bucket: options.bucket ?? 'quoting',
    accessKeyId: secrets.s3AccessKeyId,
    secretAccessKey: secrets.s3SecretAccessKey,
    process: server,
    stop: () => server.stop(),
  };
  const client = createStorage({
    S3_ENDPOINT: storage.endpoint,
    S3_REGION: storage.region,
    S3_BUCKET: storage.bucket,
    S3_ACCESS_KEY_ID: storage.accessKeyId,
    S3_SECRET_ACCESS_KEY: storage.secretAccessKey,
  });
  // The first responses may be errors while its parts connect.
  const hasBucket = () =>
    client.ensureBucket().then(
      () => true,
      () => false,
    );
  try {
    await untilReady(server, hasBucket);
  } finally {
    client.close();
  }
  return storage;
}

/** Every port is set: otherwise the server would listen on its default ones, even for disabled features. */
const PORTS = [
  's3.port', 's3.port.grpc', 'master.port', 'master.port.grpc', 'volume.port', 'volume.port.grpc', 'filer.port',
  'filer.port.grpc', 'admin.port', 'admin.port.grpc',
] as const; // prettier-ignore
type Ports = Readonly<Record<(typeof PORTS)[number], number>>;

async function choosePorts(wanted: number | undefined): Promise<Ports> {
  const free = await freePorts(PORTS.length);
  const chosen = Object.fromEntries(PORTS.map((name, index) => [name, free[index]])) as Ports; // one for each name
  return { ...chosen, 's3.port': wanted ?? chosen['s3.port'] };
}

/**
 * Its parts communicate through sockets in `/tmp`, whatever TMPDIR says, named by their ports; it leaves them behind.
 */
function removeSockets(ports: Ports): void {
  for (const [name, port] of Object.entries(ports)) {
    const part = name.replace('.port', '').replace('.', '-');
    try {
      fs.rmSync(`/tmp/seaweedfs-${part}-${port}.sock`, { force: true });
    } catch {
      // another user's, left there by a server that had the same port
    }
  }
}

function writeSettings(folder: string, secrets: Secrets): string {
  const identities = path.join(folder, 's3.json');
  const credentials = [{ accessKey: secrets.s3AccessKeyId, secretKey: secrets.s3SecretAccessKey }];
  const actions = ['Admin', 'Read', 'Write', 'List', 'Tagging'];
  writeSecret(identities, JSON.stringify({ identities: [{ name: 'quoting', credentials, actions }] }));
  // Without these keys the server's internal ports read and delete every file without a signature.
  const sections = ['jwt.signing', 'jwt.signing.read', 'jwt.filer_signing', 'jwt.filer_signing.read'];
  const toml = sections.map((name, index) => `[${name}]\nkey = "${secrets.storageSigning[index]}"\n`).join('');
  writeSecret(path.join(folder, 'security.toml'), toml);
  return identities;
}

function writeSecret(file: string, text: string): void {
  fs.writeFileSync(file, text, { mode: 0o600 });
}
