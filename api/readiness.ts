import { performance } from 'node:perf_hooks';
import type { Connection } from '@temporalio/client';
import type { Knex } from 'knex';
import type { Storage } from '../adapters/storage.ts';
import { connect } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';

/** Whether each part answers, and soon: whoever asks for /readyz waits four or five seconds and then takes us for dead. */

/** Milliseconds that a part may take; then it counts as down, whatever it still answers. */
const LIMITS = { statement: 500, database: 1_000, temporal: 1_500, storage: 1_500 } as const;
/** Milliseconds for which a good answer holds. Anybody may ask, so asking must cost next to nothing. */
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
  // A connection beside the pool: that all of the pool are busy is load, which no restart cures.
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
  // Migrations that ran do not go away under a version that needs them.
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

/** The state that `check` finds within its limit. Callers share what is under way, and a good answer for a second. */
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
