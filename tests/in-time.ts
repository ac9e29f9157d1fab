import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 50;

/**
 * The result of `work`, if it ends within `ms` of this process's own time. A pause of the whole machine counts as one
 * tick: it delays the tested deadline as much as the test.
 *
 * @param tick a call of another process that does the work, such as `/healthz`: a tick is only over when that process
 * has run too, so that the time is that of both
 */
export async function inTime<T>(ms: number, work: Promise<T>, tick?: () => Promise<unknown>): Promise<T> {
  let isOver = false;
  const limit = async (): Promise<never> => {
    for (let passed = 0; passed < ms && !isOver; passed += TICK_MS) {
      await sleep(TICK_MS);
      await tick?.();
    }
    return assert.fail(`it took more than ${ms} ms`);
  };
  try {
    return await Promise.race([work, limit()]);
  } finally {
    isOver = true;
  }
}
