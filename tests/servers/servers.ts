import fs from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { migrationsHash } from '../../dev/postgres-template.ts';
import { type BackingServices, type Part, startBackingServices } from '../../dev/stack.ts';

/** The servers behind the tests: those of `npm run test:servers`, or those of one test process. */
export interface TestServers {
  /** PostgreSQL's superuser, in the database `postgres`. */
  readonly superuserUrl: string;
  /** The addresses as settings of `adapters/config.ts`. A server that does not run has none. */
  readonly env: Readonly<Record<string, string>>;
  /** The migrations applied to the database `quoting`. */
  readonly migrations: string;
  /** The process that started them. */
  readonly pid: number;
  /** Whether they end with all their data after this run, so that test processes need not remove theirs. */
  readonly isTemporary: boolean;
}

/** Without the inbox: each test process has its own, because a test may set it to refuse all mail. */
export type ServerPart = Exclude<Part, 'inbox'>;

export const SERVER_PARTS: readonly ServerPart[] = ['postgres', 'temporal', 'storage'];

/** Starts servers with their data in `dataDir`, without durability. Always includes PostgreSQL. */
export async function startTestServers(
  dataDir: string,
  parts: readonly ServerPart[],
  { isTemporary = true }: { readonly isTemporary?: boolean } = {},
): Promise<{ servers: TestServers; services: BackingServices }> {
  const services = await startBackingServices({ dataDir, profile: 'test', parts: ['postgres', ...parts] });
  const { postgres, env } = services;
  if (!postgres) throw new Error('PostgreSQL was left out');
  const servers = {
    superuserUrl: postgres.superuserUrl,
    env,
    migrations: migrationsHash(),
    pid: process.pid,
    isTemporary,
  };
  return { servers, services };
}

/**
 * The record of running servers: `TEST_SERVERS`, or one file per user of this machine, so that several clones can share
 * the servers. `TEST_SERVERS=none` makes a test process start its own.
 */
// oxlint-disable-next-line node/no-process-env -- a setting of the tests, not of the product
const recordFile = (): string => process.env['TEST_SERVERS'] ?? path.join(sharedFolder(), 'servers.json');

/** The data folder of `npm run test:servers`. */
export const sharedFolder = (): string => path.join(tmpdir(), `quoting-test-servers-${userInfo().uid}`);

export function writeRecord(file: string, servers: TestServers): void {
  fs.writeFileSync(`${file}.tmp`, JSON.stringify(servers), { mode: 0o600 });
  fs.renameSync(`${file}.tmp`, file);
}

/** The running servers; undefined when there are none or they do not respond. */
export async function runningServers(): Promise<TestServers | undefined> {
  const servers = readRecord(recordFile());
  return servers && (await answers(servers)) ? servers : undefined;
}

function readRecord(file: string): TestServers | undefined {
  try {
    // Another user could have put a file there, and we would send our passwords to that user's servers.
    if (fs.statSync(file).uid !== userInfo().uid) return undefined;
    return JSON.parse(fs.readFileSync(file, 'utf8')) as TestServers; // written by writeRecord()
  } catch {
    return undefined;
  }
}

async function answers({ superuserUrl }: TestServers): Promise<boolean> {
  const client = new Client({ connectionString: superuserUrl });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
