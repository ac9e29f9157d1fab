import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MigrationUrls } from '../db/migrate.ts';
import type { Inbox } from '../dev/inbox/inbox.ts';
import { startBackingServices } from '../dev/stack.ts';
import { type OwnProcess, startOwnProcess } from './own-process.ts';
import { createBucket, removeLeftoverBuckets } from './servers/buckets.ts';
import { createDatabase, type Database, dropLeftoverDatabases } from './servers/databases.ts';
import { createNamespace, removeLeftoverNamespaces } from './servers/namespaces.ts';
import { runningServers, startTestServers, type TestServers } from './servers/servers.ts';

/**
 * The fixtures of this test process: a separate database, Temporal namespace and bucket on real servers. The servers
 * are the running ones (`npm run test:servers`), or are started for this process. Tests do not collide, because each
 * has its own tenant.
 */
export interface TestStack {
  /** The settings of the service. A server that no test file asked for has an address where nothing listens. */
  readonly env: Record<string, string>;
  readonly inbox: Inbox;
  readonly temporal: Namespace;
}

/** Optional servers beside PostgreSQL. */
const needed = new Set<'temporal' | 'storage' | 'inbox'>();

/** Declares, while test files are loaded, which servers their tests need beside PostgreSQL. */
export function needs(...parts: readonly ('temporal' | 'storage' | 'inbox')[]): void {
  for (const part of parts) needed.add(part);
}

type Undo = () => Promise<void>;

export interface Namespace {
  readonly address: string;
  readonly namespace: string;
}

interface Servers {
  readonly servers: TestServers;
  readonly stop: Undo;
}

let finding: Promise<Servers> | undefined;
let preparing: Promise<TestStack> | undefined;
let working: Promise<OwnProcess> | undefined;

const testServers = (): Promise<Servers> => (finding ??= findServers());

export const testStack = (): Promise<TestStack> => (preparing ??= prepare());

/** The name of another namespace of Temporal, which the test creates; it is deleted with that of the process. */
export async function namespaceName(label: string): Promise<string> {
  return `${(await testStack()).temporal.namespace}-${label}-${randomBytes(4).toString('hex')}`;
}

/** Another migrated database, for tests that would disturb others. Dropped after the last test. */
export async function newDatabase(): Promise<Database> {
  const { servers } = await testServers();
  const database = await createDatabase(servers);
  if (!servers.isTemporary) undos.push(database.drop);
  return database;
}

/** A worker process on this stack, started by the first test that asks. */
export const testWorker = async (): Promise<OwnProcess> => {
  const { env } = await testStack();
  return (working ??= startOwnProcess('worker/main.ts', env));
};

async function findServers(): Promise<Servers> {
  const running = await runningServers();
  if (running)
    return { servers: running, stop: async () => (running.isTemporary ? undefined : removeLeftovers(running)) };
  const dataDir = await mkdtemp(join(tmpdir(), 'quoting-test-'));
  const parts = [...needed].filter((part) => part !== 'inbox');
  const { servers, services } = await startTestServers(dataDir, parts);
  return {
    servers,
    async stop() {
      await services.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const undos: Undo[] = [];

async function prepare(): Promise<TestStack> {
  const { servers } = await testServers();
  const later = (undo: Undo) => !servers.isTemporary && undos.push(undo);

  const [database, temporal, storage] = await Promise.all([
    newDatabase(),
    needed.has('temporal') ? createNamespace(servers.env['TEMPORAL_ADDRESS'] ?? '') : undefined,
    needed.has('storage') ? createBucket(servers) : undefined,
  ]);
  if (temporal) later(temporal.remove);
  if (storage) later(storage.remove);

  const dataDir = await mkdtemp(join(tmpdir(), 'quoting-test-'));
  const services = await startBackingServices({
    dataDir,
    profile: 'test',
    environment: {
      ...databaseSettings(database.urls),
      ...(temporal
        ? { TEMPORAL_ADDRESS: servers.env['TEMPORAL_ADDRESS'], TEMPORAL_NAMESPACE: temporal.name }
        : { TEMPORAL_ADDRESS: NOWHERE }),
      ...storageSettings(storage ? servers : undefined, storage?.name),
      // Rate limits have tests of their own; elsewhere many requests come from one address.
      RATE_LIMITS: 'off',
    },
  });
  undos.push(services.stop, () => rm(dataDir, { recursive: true, force: true }));
  if (!services.inbox) throw new Error('the inbox was left out');
  const { env, inbox } = services;
  return {
    env,
    inbox,
    temporal: { address: env['TEMPORAL_ADDRESS'] ?? '', namespace: env['TEMPORAL_NAMESPACE'] ?? '' },
  };
}

/** Nothing listens there: a server that a test file did not declare must not work by chance. */
const NOWHERE = '127.0.0.1:1';

const databaseSettings = ({ admin, app, dispatcher }: MigrationUrls) => ({
  DATABASE_ADMIN_URL: admin,
  DATABASE_URL: app,
  DATABASE_DISPATCHER_URL: dispatcher,
});

function storageSettings(servers: TestServers | undefined, bucket: string | undefined): Record<string, string> {
  if (!servers || !bucket) {
    return { S3_ENDPOINT: `http://${NOWHERE}`, S3_ACCESS_KEY_ID: 'none', S3_SECRET_ACCESS_KEY: 'none' };
  }
  const settings = Object.entries(servers.env).filter(([name]) => name.startsWith('S3_'));
  return { ...Object.fromEntries(settings), S3_BUCKET: bucket };
}

/** Of killed test processes. */
async function removeLeftovers(servers: TestServers): Promise<void> {
  const { TEMPORAL_ADDRESS: address } = servers.env;
  await Promise.all([
    dropLeftoverDatabases(servers),
    ...(needed.has('temporal') && address ? [removeLeftoverNamespaces(address)] : []),
    ...(needed.has('storage') ? [removeLeftoverBuckets(servers)] : []),
  ]);
}

const closers: Undo[] = [];

/**
 * Closes resources of the test process, or checks what all of its tests left behind, before the servers stop; an open pool
 * would keep Mocha from ending.
 */
export const closeAfterTests = (close: Undo): void => void closers.push(close);

// Root hooks: this module is loaded while Mocha collects the tests, outside of any describe. On a slow machine the
// servers take longer to start than the timeout of a test.
before(async () => {
  await testStack();
});
after(async () => {
  const closed = await eachSettled(closers);
  await (await working)?.stop();
  for (const undo of undos) await undo();
  await (await finding)?.stop();
  for (const result of closed) if (result.status === 'rejected') throw result.reason;
});

/** Runs all in order; one that fails does not keep the next from running, nor the servers from stopping. */
async function eachSettled(steps: readonly Undo[]): Promise<readonly PromiseSettledResult<void>[]> {
  const results: PromiseSettledResult<void>[] = [];
  for (const step of steps) results.push(...(await Promise.allSettled([step()])));
  return results;
}
