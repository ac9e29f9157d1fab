import path from 'node:path';
import { databaseSettings } from './database-settings.ts';
import { type Inbox, startInbox } from './inbox/inbox.ts';
import { freePort, onFreePort, preferredPort, reservePorts } from './ports.ts';
import { postgresTemplate } from './postgres-template.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { Problem } from './problem.ts';
import { loadSecrets } from './secrets.ts';
import type { ServerProcess } from './server-process.ts';
import { type Storage, startStorage } from './storage.ts';
import { startTemporal, type Temporal } from './temporal.ts';
import { SETTING_NAMES } from '../adapters/config.ts';

/** PostgreSQL, Temporal, storage and mail: started here, or external ones that the environment names. */

export type Part = 'postgres' | 'temporal' | 'storage' | 'inbox';
type Environment = Readonly<Record<string, string | undefined>>;

export interface StackOptions {
  /** All data lies below it. */
  readonly dataDir: string;
  readonly profile: 'embedded' | 'test';
  /** Port of the API; default: `PORT`, else 3000 in the embedded profile and a free one in tests. */
  readonly apiPort?: number;
  /** Which parts to start; default all. An omitted part has no setting in `env`. */
  readonly parts?: readonly Part[];
  /** Whether to omit the Temporal UI. Default: in tests. */
  readonly headless?: boolean;
  /** Whether PostgreSQL's commits wait for the disk. Default: not in tests. */
  readonly fsync?: boolean;
  /** Settings of external parts. Default: the process's environment; empty in tests. */
  readonly environment?: Environment;
  readonly onProgress?: (part: Part, line: string) => void;
  /** Aborts the start: parts that are starting are stopped as soon as they have started. */
  readonly signal?: AbortSignal;
  /** Called once per part, when it responds. */
  readonly onReady?: (part: Part, detail: PartReady) => void;
}

export interface PartReady {
  readonly milliseconds: number;
  /** Whether it is an external one that the environment names. */
  readonly external: boolean;
  readonly isNew: boolean;
}

export interface BackingServices {
  /** The settings of `adapters/config.ts` for every process, all as text. */
  readonly env: Record<string, string>;
  readonly apiUrl: string;
  /** The parts started here; undefined for omitted and external ones. */
  readonly postgres: Postgres | undefined;
  readonly temporal: Temporal | undefined;
  readonly storage: Storage | undefined;
  readonly inbox: Inbox | undefined;
  /** Restarts a part that has ended, on its data and address. */
  readonly restart: (part: 'postgres' | 'temporal' | 'storage') => Promise<ServerProcess>;
  /** Stops what was started here. Calling it again is harmless. */
  readonly stop: () => Promise<void>;
  /** Kills the servers immediately. */
  readonly kill: () => void;
}

// Differ from the default ports of the same programs.
const PREFERRED = {
  postgres: 15_432,
  temporal: 17_233,
  temporalUi: 18_233,
  storage: 18_333,
  smtp: 11_025,
  inbox: 18_025,
};

/** Starts the parts in parallel. If one fails, the others are stopped and its error is thrown. */
export async function startBackingServices(options: StackOptions): Promise<BackingServices> {
  const { profile, onProgress = () => undefined, onReady = () => undefined } = options;
  const dataDir = path.resolve(options.dataDir);
  const given = options.environment ?? (profile === 'test' ? {} : process.env);
  const wanted = (part: Part) => options.parts?.includes(part) ?? true;
  const secrets = loadSecrets(dataDir);
  // The API listens last.
  if (options.apiPort !== undefined) reservePorts(options.apiPort);

  const portFor = async (part: Part, preferred: number) =>
    profile === 'test'
      ? freePort()
      : preferredPort(preferred, (taken, instead) =>
          onProgress(part, `el puerto ${taken} está ocupado; uso el ${instead}`),
        );
  const started: { stop: () => Promise<void>; process?: { kill: () => void } }[] = [];

  async function begin<T extends { stop: () => Promise<void> }>(
    part: Part,
    external: boolean,
    start: () => Promise<T>,
  ): Promise<T | undefined> {
    if (!wanted(part)) return undefined;
    const began = performance.now();
    const result = external ? undefined : await onFreePort(start);
    if (result) started.push(result);
    options.signal?.throwIfAborted();
    const isNew = result !== undefined && 'isNew' in result && result.isNew === true;
    onReady(part, { milliseconds: performance.now() - began, external, isNew });
    return result;
  }

  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= Promise.all(started.map((part) => part.stop())).then(() => undefined));

  const database = databaseSettings(given, secrets);
  const storageSettings = externalStorage(given);
  const temporalAddress = given['TEMPORAL_ADDRESS'];
  // Without `port` on a free one, else on that one, where the part was before.
  const starts = {
    postgres: async (port?: number) =>
      startPostgres({
        dataDir,
        port: port ?? (await portFor('postgres', PREFERRED.postgres)),
        fsync: options.fsync ?? profile !== 'test',
        template: await postgresTemplate(),
      }),
    temporal: async (port?: number, uiPort?: number) =>
      startTemporal({
        dataDir,
        port: port ?? (await portFor('temporal', PREFERRED.temporal)),
        uiPort: uiPort ?? (await portFor('temporal', PREFERRED.temporalUi)),
        headless: options.headless ?? profile === 'test',
        forTests: profile === 'test',
        report: (line) => onProgress('temporal', line),
      }),
    storage: async (port?: number) =>
      startStorage({
        dataDir,
        port: port ?? (await portFor('storage', PREFERRED.storage)),
        report: (line) => onProgress('storage', line),
      }),
  };
  const results = await Promise.allSettled([
    begin('postgres', database !== undefined, () => starts.postgres()),
    begin('temporal', Boolean(temporalAddress), () => starts.temporal()),
    begin('storage', storageSettings !== undefined, () => starts.storage()),
    begin('inbox', Boolean(given['SMTP_URL']), async () =>
      startInbox({
        dataDir,
        smtpPort: await portFor('inbox', PREFERRED.smtp),
        httpPort: await portFor('inbox', PREFERRED.inbox),
      }),
    ),
  ]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const [postgres, temporal, storage, inbox] = results.map((result) =>
    result.status === 'fulfilled' ? result.value : undefined,
  ) as [Postgres | undefined, Temporal | undefined, Storage | undefined, Inbox | undefined]; // in the order above

  const apiPort = options.apiPort ?? (Number(given['PORT']) || (profile === 'test' ? await freePort() : 3000));
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const env = present({
    LOG_LEVEL: given['LOG_LEVEL'] ?? (profile === 'test' ? 'warn' : 'info'),
    ...passedOn(given),
    PROFILE: profile,
    HOST: given['HOST'] ?? '127.0.0.1',
    PORT: String(apiPort),
    // There is no load balancer here.
    DRAIN_SECONDS: given['DRAIN_SECONDS'] ?? '0',
    PUBLIC_URL: given['PUBLIC_URL'] ?? apiUrl,
    SESSION_SECRETS: given['SESSION_SECRETS'] ?? secrets.session,
    ENCRYPTION_KEYS: given['ENCRYPTION_KEYS'] ?? secrets.encryption,
    OUTBOUND_ALLOW_CIDRS: given['OUTBOUND_ALLOW_CIDRS'] ?? '127.0.0.0/8,::1/128',
    ...(wanted('postgres') && database),
    ...(postgres && {
      DATABASE_URL: postgres.appUrl,
      DATABASE_DISPATCHER_URL: postgres.dispatcherUrl,
      DATABASE_ADMIN_URL: postgres.adminUrl,
    }),
    ...(wanted('temporal') && { TEMPORAL_ADDRESS: temporal?.address ?? temporalAddress }),
    ...(temporal?.uiUrl !== undefined && { TEMPORAL_UI_URL: temporal.uiUrl }),
    ...(wanted('storage') && storageSettings),
    ...(storage && {
      S3_ENDPOINT: storage.endpoint,
      S3_PUBLIC_ENDPOINT: storage.endpoint,
      S3_REGION: storage.region,
      S3_BUCKET: storage.bucket,
      S3_ACCESS_KEY_ID: storage.accessKeyId,
      S3_SECRET_ACCESS_KEY: storage.secretAccessKey,
    }),
    ...(wanted('inbox') && { SMTP_URL: inbox?.smtpUrl ?? given['SMTP_URL'] }),
  });
  const kill = () => started.forEach((part) => part.process?.kill());

  async function restart(part: 'postgres' | 'temporal' | 'storage'): Promise<ServerProcess> {
    const again = await (part === 'postgres'
      ? starts.postgres(postgres?.port)
      : part === 'temporal'
        ? starts.temporal(portOf(`http://${temporal?.address}`), portOf(temporal?.uiUrl))
        : starts.storage(portOf(storage?.endpoint)));
    started.push(again);
    return again.process;
  }
  return { env, apiUrl, postgres, temporal, storage, inbox, restart, stop, kill };
}

const portOf = (url: string | undefined): number | undefined => (url ? Number(new URL(url).port) : undefined);

/** Settings of the caller's environment; the addresses of embedded parts replace theirs. */
const passedOn = (given: Environment) =>
  Object.fromEntries(SETTING_NAMES.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));

function externalStorage(given: Environment): Record<string, string | undefined> | undefined {
  if (!given['S3_ENDPOINT']) return undefined;
  const names = ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
  const missing = names.filter((name) => !given[name]);
  if (missing.length > 0) throw new Problem(`Con S3_ENDPOINT hacen falta también ${missing.join(' y ')}.`);
  const all = [...names, 'S3_PUBLIC_ENDPOINT', 'S3_REGION', 'S3_BUCKET'];
  return Object.fromEntries(all.map((name) => [name, given[name]]));
}

function present(settings: Record<string, string | undefined>): Record<string, string> {
  const entries = Object.entries(settings).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return Object.fromEntries(entries);
}
