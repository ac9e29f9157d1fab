import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BackingServices, startBackingServices } from '../dev/stack.ts';
import { type OwnProcess, startOwnProcess } from './own-process.ts';

/**
 * The real servers behind the tests, started by the first test that asks and shared by all: PostgreSQL (migrated, with
 * the roles of production), Temporal, SeaweedFS and the inbox. Tests do not collide, since each has its own tenant.
 */
export type TestStack = { readonly env: Record<string, string> } & {
  readonly [Part in 'postgres' | 'temporal' | 'storage' | 'inbox']: NonNullable<BackingServices[Part]>;
};

let starting: Promise<{ stack: TestStack; stop(): Promise<void> }> | undefined;
let working: Promise<OwnProcess> | undefined;

export const testStack = async (): Promise<TestStack> => (await (starting ??= start())).stack;

/** A worker process against the shared servers, started by the first test that asks. */
export const testWorker = async (): Promise<OwnProcess> => {
  const { env } = await testStack();
  return (working ??= startOwnProcess('activities/worker.ts', env));
};

async function start() {
  const dataDir = await mkdtemp(join(tmpdir(), 'quoting-test-'));
  const services = await startBackingServices({ dataDir, profile: 'test' });
  const { env, postgres, temporal, storage, inbox } = services;
  if (!postgres || !temporal || !storage || !inbox) throw new Error('the test stack is not whole');
  const migration = await startOwnProcess('activities/migrate.ts', env, { waitFor: 'exit' });
  if (migration.exitCode() !== 0) throw new Error(`migrations failed\n${migration.output()}`);
  return {
    // Limits have tests of their own; everywhere else many requests come from one address.
    stack: { env: { ...env, RATE_LIMITS: 'off' }, postgres, temporal, storage, inbox },
    async stop() {
      await services.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const closers: (() => Promise<void>)[] = [];

/** Closes something of the test process itself before the servers stop; an open pool would keep Mocha from ending. */
export const closeAfterTests = (close: () => Promise<void>): void => void closers.push(close);

// Root hooks: this module is loaded while Mocha collects the tests, outside of any describe. On a slow machine the servers
// take longer to start than a test may take.
before(async () => {
  await testStack();
});
after(async () => {
  for (const close of closers) await close();
  await (await working)?.stop();
  await (await starting)?.stop();
});
