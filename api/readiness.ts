import { performance } from 'node:perf_hooks';
import type { Connection } from '@temporalio/client';
import type { Knex } from 'knex';
import type { Storage } from '../adapters/storage.ts';
import { withTimeout } from '../adapters/timeout.ts';
import { connect } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';

/** The state of each dependency. Must be fast: probes of /readyz time out after four or five seconds. */

/** After this time a dependency counts as down. */
const TIMEOUTS_MS = { statement: 500, database: 1_000, temporal: 1_500, storage: 1_500 } as const;
/** How long a successful check is cached. /readyz is public, so it must be cheap. */
const CACHE_MS = 1_000;

export type State = 'ok' | 'down';

export interface Readiness {
  readonly database: () => Promise<State>;
  readonly temporal: () => Promise<State>;
  readonly storage: () => Promise<State>;
  close(): Promise<void>;
}

export function createReadiness(
  { DATABASE_URL }: { readonly DATABASE_URL: string },
  connection: Connection,
  storage: Pick<Storage, 'check'>,
): Readiness {
  // A connection outside the pool: an exhausted pool means load, which a restart does not cure.
  const applicationName = 'quoting-readiness';
  const knex = connect({ url: DATABASE_URL, pool: 1, applicationName, statementTimeoutMs: TIMEOUTS_MS.statement });
  return {
    database: cachedCheck(databaseCheck(knex), TIMEOUTS_MS.database),
    temporal: cachedCheck(
      () =>
        connection.withDeadline(Date.now() + TIMEOUTS_MS.temporal, () => connection.workflowService.getSystemInfo({})),
      TIMEOUTS_MS.temporal,
    ),
    storage: cachedCheck(() => storage.check(), TIMEOUTS_MS.storage),
    close: () => knex.destroy(),
  };
}

function databaseCheck(knex: Knex): () => Promise<void> {
  // Checked once: applied migrations are not undone while this version runs.
  let migrated = false;
  return async () => {
    if (migrated) {
      await knex.raw('select 1');
      return;
    }
    migrated = await isMigrated(knex);
    if (!migrated) throw new Error('migrations are missing');
  };
}

/** Runs `check` with the time limit. Concurrent callers share one check, and a successful result for a second. */
function cachedCheck(check: () => Promise<unknown>, limitMs: number): () => Promise<State> {
  let cachedUntil = 0;
  let running: Promise<State> | undefined;
  return () => {
    if (performance.now() < cachedUntil) return Promise.resolve('ok');
    running ??= stateWithin(limitMs, check()).then((state) => {
      if (state === 'ok') cachedUntil = performance.now() + CACHE_MS;
      running = undefined;
      return state;
    });
    return running;
  };
}

const stateWithin = (limitMs: number, check: Promise<unknown>): Promise<State> =>
  withTimeout(check, limitMs, () => new Error('too slow')).then(
    () => 'ok',
    () => 'down',
  );
