import type { State, WorkerStatus } from '@temporalio/worker';

/** So often a worker is looked at. */
const LOOK_MS = 1_000;
/** A worker that failed has this long to end; longer than an activity that is under way may be waited for. */
const ENDS_WITHIN_MS = 20_000;
/** One that stops and has nothing under way has this long; Temporal ends its polls at once. */
const STOPS_WITHIN_MS = 3_000;

const STOPPING: ReadonlySet<State> = new Set(['STOPPING', 'DRAINING', 'DRAINED']);

/** What of a worker is looked at. */
export interface Watched {
  getStatus(): Pick<WorkerStatus, 'runState' | 'numInFlightActivities' | 'numInFlightWorkflowActivations'>;
}

/**
 * Waits until the worker ends, or throws when it failed and does not end. Where Temporal has lost its namespace, polling
 * fails after a while, and the SDK then waits for ever for its native half, which waits to be polled: nobody would poll
 * the queue any more, and nothing would say so.
 *
 * A worker that stops waits for Temporal to end its polls; where Temporal is away, it waits for ever too (sdk-rust#1297).
 * One with nothing under way is left alone then.
 */
export async function untilEnded(worker: Watched, run: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const stuck = new Promise<void>((resolve, reject) => {
    let failedAt: number | undefined;
    let idleSince: number | undefined;
    timer = setInterval(() => {
      const now = Date.now();
      const { runState, numInFlightActivities, numInFlightWorkflowActivations } = worker.getStatus();
      if (runState === 'FAILED') failedAt ??= now;
      if (failedAt !== undefined && now - failedAt > ENDS_WITHIN_MS) {
        reject(new Error('a worker that failed does not end'));
      }
      const isIdle = STOPPING.has(runState) && numInFlightActivities + numInFlightWorkflowActivations === 0;
      idleSince = isIdle ? (idleSince ?? now) : undefined;
      if (idleSince !== undefined && now - idleSince > STOPS_WITHIN_MS) resolve();
    }, LOOK_MS);
  });
  try {
    await Promise.race([run, stuck]);
  } finally {
    clearInterval(timer);
  }
}
