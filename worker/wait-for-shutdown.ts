import type { State, WorkerStatus } from '@temporalio/worker';

const CHECK_INTERVAL_MS = 1_000;
/** How long a failed worker may take to end; longer than an activity under way may be waited for. */
const FAILED_TIMEOUT_MS = 20_000;
/** How long a stopping worker with nothing under way may take; a reachable Temporal ends its polls without delay. */
const IDLE_TIMEOUT_MS = 3_000;

const STOPPING: ReadonlySet<State> = new Set(['STOPPING', 'DRAINING', 'DRAINED']);

/** The part of a worker that is watched. */
export interface WatchedWorker {
  getStatus(): Pick<WorkerStatus, 'runState' | 'numInFlightActivities' | 'numInFlightWorkflowActivations'>;
}

/**
 * Waits until the worker ends; throws when it failed and does not end. Where Temporal has lost its namespace, polling fails
 * after a while, and the SDK then waits for ever for its native half: the queue would have no poller, without an error.
 *
 * A stopping worker waits for Temporal to end its polls, for ever where Temporal is away (sdk-rust#1297). One with nothing
 * under way is abandoned then.
 */
export async function waitForShutdown(worker: WatchedWorker, run: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const stuck = new Promise<void>((resolve, reject) => {
    let failedAt: number | undefined;
    let idleSince: number | undefined;
    timer = setInterval(() => {
      const now = Date.now();
      const { runState, numInFlightActivities, numInFlightWorkflowActivations } = worker.getStatus();
      if (runState === 'FAILED') failedAt ??= now;
      if (failedAt !== undefined && now - failedAt > FAILED_TIMEOUT_MS) {
        reject(new Error('a worker that failed does not end'));
      }
      const isIdle = STOPPING.has(runState) && numInFlightActivities + numInFlightWorkflowActivations === 0;
      idleSince = isIdle ? (idleSince ?? now) : undefined;
      if (idleSince !== undefined && now - idleSince > IDLE_TIMEOUT_MS) resolve();
    }, CHECK_INTERVAL_MS);
  });
  try {
    await Promise.race([run, stuck]);
  } finally {
    clearInterval(timer);
  }
}
