import { performance } from 'node:perf_hooks';
import type { Connection } from '@temporalio/client';
import type { Knex } from 'knex';
import type { Storage } from '../adapters/storage.ts';
import { connect } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';

/** The state of each dependency. Must be fast: probes of /readyz time out after four or five seconds. */

/** After this time a dependency counts as down. */
const LIMITS = { statement: 500, database: 1_000, temporal: 1_500, storage: 1_500 } as const;
/** How long a successful check is cached. /readyz is public, so it must be cheap. */
const HOLDS_MS = 1_000;

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
  const knex = connect({ url: DATABASE_URL, pool: 1, applicationName, statementTimeoutMs: LIMITS.statement });
  return {
    database: sparing(databaseCheck(knex), LIMITS.database),
    temporal: sparing(
      () => connection.withDeadline(Date.now() + LIMITS.temporal, () => connection.workflowService.getSystemInfo({})),
      LIMITS.temporal,
    ),
    storage: sparing(() => storage.check(), LIMITS.storage),
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
function sparing(check: () => Promise<unknown>, limitMs: number): () => Promise<State> {
  let wellUntil = 0;
  let asking: Promise<State> | undefined;
  return () => {
    if (performance.now() < wellUntil) return Promise.resolve('ok');
    asking ??= within(limitMs, check()).then((state) => {
      if (state === 'ok') wellUntil = performance.now() + HOLDS_MS;
      asking = undefined;
      return state;
    });
    return asking;
  };
}

function within(limitMs: number, check: Promise<unknown>): Promise<State> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('down'), limitMs);
    const settle = (state: State) => () => {
      clearTimeout(timer);
      resolve(state);
    };
    check.then(settle('ok'), settle('down'));
  });
}
