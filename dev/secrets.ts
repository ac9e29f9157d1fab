import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { codeOf } from './problem.ts';

/** The secrets that an embedded stack generates at its first start and stores with its data. */
export interface Secrets {
  /** The id of this data: a fallback folder outside the checkout is named by it. */
  readonly dataId: string;
  readonly postgres: string;
  readonly owner: string;
  readonly app: string;
  readonly dispatcher: string;
  readonly session: string;
  readonly encryption: string;
  readonly s3AccessKeyId: string;
  readonly s3SecretAccessKey: string;
  readonly storageSigning: readonly [string, string, string, string];
}

/** The secrets of a data folder (mode 0600), generated on first use. */
export function loadSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  const known = read(file);
  if (known) return known;
  openDataDir(dataDir);
  const part = `${file}.${process.pid}`;
  fs.writeFileSync(part, `${JSON.stringify(makeSecrets(), null, 2)}\n`, { mode: 0o600 });
  try {
    fs.linkSync(part, file); // unlike a rename this never replaces what another process has just written
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(part);
  }
  const made = read(file);
  if (!made) throw new Error(`${file} was removed while it was being read`);
  return made;
}

/**
 * Creates the data folder so that others can pass through it but not list it: when run by root, PostgreSQL uses another
 * account, and its files lie below. Secret files in it have mode 0600.
 */
export function openDataDir(dataDir: string): void {
  fs.mkdirSync(dataDir, { recursive: true });
  fs.chmodSync(dataDir, 0o711);
}

function read(file: string): Secrets | undefined {
  try {
    // Only this file writes it; before the role was renamed, with a member `relay`.
    const { relay, ...secrets } = JSON.parse(fs.readFileSync(file, 'utf8')) as Secrets & { readonly relay?: string };
    return relay === undefined ? secrets : { ...secrets, dispatcher: relay };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function makeSecrets(): Secrets {
  const secret = () => randomBytes(24).toString('base64url');
  return {
    dataId: randomBytes(8).toString('hex'),
    postgres: secret(),
    owner: secret(),
    app: secret(),
    dispatcher: secret(),
    session: randomBytes(32).toString('base64url'),
    encryption: `k1:${randomBytes(32).toString('base64')}`,
    s3AccessKeyId: `quoting${randomBytes(5).toString('hex')}`,
    s3SecretAccessKey: randomBytes(30).toString('base64url'),
    storageSigning: [secret(), secret(), secret(), secret()],
  };
}
