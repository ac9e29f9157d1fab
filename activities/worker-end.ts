import type { Worker } from '@temporalio/worker';

/** So often a worker is looked at. */
const LOOK_MS = 1_000;
/** A worker that failed has this long to end; longer than an activity that is under way may be waited for. */
const ENDS_WITHIN_MS = 20_000;

/**
 * Waits until the worker ends, or throws when it failed and does not end. Where Temporal has lost its namespace, polling
 * fails after a while, and the SDK then waits for ever for its native half, which waits to be polled: nobody would poll
 * the queue any more, and nothing would say so.
 */
export async function untilEnded(worker: Pick<Worker, 'getState'>, run: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const stuck = new Promise<never>((_resolve, reject) => {
    let failedAt: number | undefined;
    timer = setInterval(() => {
      if (worker.getState() !== 'FAILED') return;
      failedAt ??= Date.now();
      if (Date.now() - failedAt > ENDS_WITHIN_MS) reject(new Error('a worker that failed does not end'));
    }, LOOK_MS);
  });
  try {
    await Promise.race([run, stuck]);
  } finally {
    clearInterval(timer);
  }
}
