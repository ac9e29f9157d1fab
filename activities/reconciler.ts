import { setTimeout as sleep } from 'node:timers/promises';
import { Client as PostgresClient } from 'pg';
import { reconcile, type ReconcileDeps, type Restarted } from './reconcile.ts';

/** So often PostgreSQL and Temporal are compared. */
const EVERY_MS = 60_000;
/** Key of the advisory lock: one pass at a time, however many workers run. */
const LOCK = 7_310_255;

export interface ReconcilerDeps extends ReconcileDeps {
  /** As the relay's role; the lock takes a connection of its own, since a pass may be longer than a transaction. */
  readonly databaseUrl: string;
}

export interface Reconciler {
  /** Ends after the page that is under way. */
  stop(): Promise<void>;
}

/** Runs passes on a timer of its own: a Schedule of Temporal would be lost with the store that it repairs. */
export function startReconciler(deps: ReconcilerDeps): Reconciler {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await reconcileAlone(deps, { signal: stopping.signal });
      } catch (error) {
        deps.log.warn({ err: error }, 'what runs could not be compared with what should');
      }
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** One pass, or undefined when another process is at it. */
export async function reconcileAlone(
  { databaseUrl, ...deps }: ReconcilerDeps,
  options: Parameters<typeof reconcile>[1] = {},
): Promise<Restarted | undefined> {
  const client = new PostgresClient({ connectionString: databaseUrl, connectionTimeoutMillis: 3_000, keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK]);
    return rows[0]?.mine ? await reconcile(deps, options) : undefined;
  } finally {
    // The lock goes with its connection.
    await client.end().catch(() => undefined);
  }
}
