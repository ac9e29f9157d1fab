import { setTimeout as sleep } from 'node:timers/promises';
import { Client as PostgresClient } from 'pg';
import { ensureTemporal } from './ensure-temporal.ts';
import { reconcile, type ReconcileDeps, type Reconciled, type ReconcileOptions } from './reconcile.ts';

/** Minimum pause between two passes. */
const INTERVAL_MS = 60_000;
/** Minimum pause as a multiple of the duration of the last pass, so that passes take at most a fifth of the time. */
const PAUSE_FACTOR = 4;
/** Pause after a pass that failed, doubled each time up to `INTERVAL_MS`: Temporal may soon be back, with much to start. */
const RETRY_MS = 2_000;
/** Interval of the check whether Temporal has lost its store, between two passes. */
const CHECK_INTERVAL_MS = 10_000;
const CHECK_DEADLINE_MS = 15_000;
/** How long a stop waits for the current call: one that Temporal does not answer would take its whole deadline. */
const STOP_TIMEOUT_MS = 2_000;
/** Key of the advisory lock: one pass at a time, however many workers run. */
const LOCK = 7_310_255;

export interface ReconcilerDeps extends ReconcileDeps {
  /** As the dispatcher's role; the lock takes a connection of its own, since a pass may be longer than a transaction. */
  readonly databaseUrl: string;
}

export interface Reconciler {
  /**
   * Aborts the current pass and waits for its end, at most two seconds. The next pass, here or in another process,
   * starts what is left.
   */
  stop(): Promise<void>;
}

/** Runs passes on a timer of its own: a Schedule of Temporal would be lost with the store that it repairs. */
export function startReconciler(deps: ReconcilerDeps): Reconciler {
  const stopping = new AbortController();
  const { signal } = stopping;

  /** Whether everything that was missing has been started. */
  async function pass(options: ReconcileOptions): Promise<boolean> {
    try {
      const reconciled = await reconcileAlone(deps, { ...options, signal });
      return reconciled === undefined || reconciled.failed === 0;
    } catch (error) {
      if (!signal.aborted) deps.log.warn({ err: error }, 'what runs could not be compared with what should');
      return false;
    }
  }

  /** Waits for this time, or until Temporal has lost its store. Returns whether it has. */
  async function pause(milliseconds: number): Promise<boolean> {
    const until = Date.now() + milliseconds;
    while (!signal.aborted) {
      await sleep(Math.max(0, Math.min(CHECK_INTERVAL_MS, until - Date.now())), undefined, { signal }).catch(
        () => undefined,
      );
      if (signal.aborted || Date.now() >= until) break;
      const check = deps.connection.withDeadline(Date.now() + CHECK_DEADLINE_MS, () => ensureTemporal(deps));
      // Temporal is away: the next check, or the pass, reports it.
      if (
        await check.then(
          ({ isNew }) => isNew,
          () => false,
        )
      )
        return true;
    }
    return false;
  }

  const running = (async () => {
    let isNew = false;
    for (let failures = 0; !signal.aborted;) {
      const startedAt = performance.now();
      failures = (await pass(isNew ? { olderThanSeconds: 0 } : {})) ? 0 : failures + 1;
      // A store counts as new until a pass has succeeded.
      if (failures === 0) isNew = false;
      const tookMs = performance.now() - startedAt;
      const pauseMs = failures === 0 ? Math.max(INTERVAL_MS, PAUSE_FACTOR * tookMs) : RETRY_MS * 2 ** (failures - 1);
      isNew = (await pause(failures === 0 ? pauseMs : Math.min(pauseMs, INTERVAL_MS))) || isNew;
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await Promise.race([running, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** One pass, or undefined when another process holds the lock for longer than `patienceMs`. */
export async function reconcileAlone(
  { databaseUrl, ...deps }: ReconcilerDeps,
  { patienceMs = 0, ...options }: ReconcileOptions & { readonly patienceMs?: number } = {},
): Promise<Reconciled | undefined> {
  const client = new PostgresClient({
    connectionString: databaseUrl,
    application_name: 'quoting-reconciler',
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const deadline = Date.now() + patienceMs;
    while (!(await tryLock(client))) {
      if (Date.now() >= deadline) return undefined;
      await sleep(250);
    }
    return await reconcile(deps, options);
  } finally {
    // The end of the connection releases the lock.
    await client.end().catch(() => undefined);
  }
}

async function tryLock(client: PostgresClient): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK]);
  return rows[0]?.mine === true;
}
