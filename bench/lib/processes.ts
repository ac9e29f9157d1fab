import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ALLOCATOR, nodeFlags } from '../../dev/memory.ts';
import { freePort } from '../../dev/ports.ts';
import { built } from './built.ts';
import type { Database, Databases } from './database.ts';

/** Servers under measurement: each is a process of its own, so that its CPU time is nobody else's. */

export interface ServerUnderTest {
  readonly pid: number;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

let profiles: readonly string[] = [];

/** From now on each server writes a CPU profile into that folder when it ends. */
export function profileServers(folder: string): void {
  profiles = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

/** Starts a Node program that says it is ready by a message, and listens on the port that PORT names. */
export async function startNode(
  entry: string,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ServerUnderTest> {
  const port = await freePort();
  const program = entry.endsWith('.ts') ? await built(entry) : entry;
  const child = spawn(process.execPath, [...nodeFlags(entry), '--enable-source-maps', ...profiles, program, ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...ALLOCATOR, ...env, PORT: String(port) },
    // A log that somebody reads would cost the reader's time.
    stdio: ['ignore', openSync('/dev/null', 'w'), 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-10_000)));
  const exited = once(child, 'exit');
  const first = await Promise.race([once(child, 'message').then(() => 'ready'), exited.then(() => 'exit')]);
  if (first === 'exit') throw new Error(`${entry} ended before it was ready\n${errors}`);
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      if (isRunning(child)) child.kill('SIGTERM');
      await exited;
    },
  };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** The API as it is installed, on that database; Temporal and storage are wherever `env` says, or nowhere. */
export const startApi = (
  databases: Databases,
  database: Database,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerUnderTest> => startNode('api/main.ts', { env: { ...settingsFor(databases, database), ...env } });

const NOWHERE = '127.0.0.1:9';

export const settingsFor = (
  { secrets }: Pick<Databases, 'secrets'>,
  { appUrl, dispatcherUrl }: Pick<Database, 'appUrl' | 'dispatcherUrl'>,
) => ({
  PROFILE: 'test',
  LOG_LEVEL: 'info',
  RATE_LIMITS: 'off',
  DRAIN_SECONDS: '0',
  PUBLIC_URL: 'http://127.0.0.1',
  SESSION_SECRETS: secrets.session,
  ENCRYPTION_KEYS: secrets.encryption,
  DATABASE_URL: appUrl,
  DATABASE_DISPATCHER_URL: dispatcherUrl,
  TEMPORAL_ADDRESS: NOWHERE,
  S3_ENDPOINT: `http://${NOWHERE}`,
  S3_ACCESS_KEY_ID: secrets.s3AccessKeyId,
  S3_SECRET_ACCESS_KEY: secrets.s3SecretAccessKey,
  SMTP_URL: `smtp://${NOWHERE}`,
  OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
});
