import { setTimeout as sleep } from 'node:timers/promises';
import { Client as PostgresClient } from 'pg';
import { ensureTemporal } from './ensure-temporal.ts';
import { reconcile, type ReconcileDeps, type Reconciled, type ReconcileOptions } from './reconcile.ts';

/** So often PostgreSQL and Temporal are compared, or less often where that takes long: a fifth of the time at most. */
const EVERY_MS = 60_000;
const REST = 4;
/** After a pass that failed: Temporal may be back soon, and then much may wait. Doubled each time, up to the usual. */
const AGAIN_MS = 2_000;
/** So often it is asked whether Temporal still has what we need: of a store that was lost all is missing, at once. */
const LOOK_MS = 10_000;
const LOOK_DEADLINE_MS = 15_000;
/** So long a stop waits for a call that is under way: one that Temporal does not answer would take its whole deadline. */
const PATIENCE_MS = 2_000;
/** Key of the advisory lock: one pass at a time, however many workers run. */
const LOCK = 7_310_255;

export interface ReconcilerDeps extends ReconcileDeps {
  /** As the dispatcher's role; the lock takes a connection of its own, since a pass may be longer than a transaction. */
  readonly databaseUrl: string;
}

export interface Reconciler {
  /**
   * Ends the pass that is under way, and waits until it has ended, but two seconds at most; the next one, here or
   * elsewhere, finds what it had not come to.
   */
  stop(): Promise<void>;
}

/** Runs passes on a timer of its own: a Schedule of Temporal would be lost with the store that it repairs. */
export function startReconciler(deps: ReconcilerDeps): Reconciler {
  const stopping = new AbortController();
  const { signal } = stopping;

  /** Whether all that was missing is there now. */
  async function pass(options: ReconcileOptions): Promise<boolean> {
    try {
      const reconciled = await reconcileAlone(deps, { ...options, signal });
      return reconciled === undefined || reconciled.failed === 0;
    } catch (error) {
      if (!signal.aborted) deps.log.warn({ err: error }, 'what runs could not be compared with what should');
      return false;
    }
  }

  /** Waits so long, or until Temporal has lost its store; says whether it has. */
  async function rest(milliseconds: number): Promise<boolean> {
    const until = Date.now() + milliseconds;
    while (!signal.aborted) {
      await sleep(Math.max(0, Math.min(LOOK_MS, until - Date.now())), undefined, { signal }).catch(() => undefined);
      if (signal.aborted || Date.now() >= until) break;
      const check = deps.connection.withDeadline(Date.now() + LOOK_DEADLINE_MS, () => ensureTemporal(deps));
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
      // A new store stays one until a pass has come to its end.
      if (failures === 0) isNew = false;
      const tookMs = performance.now() - startedAt;
      const restMs = failures === 0 ? Math.max(EVERY_MS, REST * tookMs) : AGAIN_MS * 2 ** (failures - 1);
      isNew = (await rest(failures === 0 ? restMs : Math.min(restMs, EVERY_MS))) || isNew;
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await Promise.race([running, sleep(PATIENCE_MS, undefined, { ref: false })]);
    },
  };
}

/** One pass, or undefined when another process is at it and does not end within `patienceMs`; by default at once. */
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
    while (!(await isOurs(client))) {
      if (Date.now() >= deadline) return undefined;
      await sleep(250);
    }
    return await reconcile(deps, options);
  } finally {
    // The lock goes with its connection.
    await client.end().catch(() => undefined);
  }
}

async function isOurs(client: PostgresClient): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK]);
  return rows[0]?.mine === true;
}
