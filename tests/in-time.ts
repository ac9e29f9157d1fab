import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 50;

/**
 * What `work` comes to, when it does so within `ms` of this process's own time. A moment in which the machine stands still
 * counts as one tick: it holds up the deadline that is tested as much as the test.
 *
 * @param turn of another process that does the work, such as an answer to `/healthz`: a tick is over only when that process
 *   had its turn too, so that the time is that of both
 */
export async function inTime<T>(ms: number, work: Promise<T>, turn?: () => Promise<unknown>): Promise<T> {
  let isOver = false;
  const limit = async (): Promise<never> => {
    for (let passed = 0; passed < ms && !isOver; passed += TICK_MS) {
      await sleep(TICK_MS);
      await turn?.();
    }
    return assert.fail(`it took more than ${ms} ms`);
  };
  try {
    return await Promise.race([work, limit()]);
  } finally {
    isOver = true;
  }
}
