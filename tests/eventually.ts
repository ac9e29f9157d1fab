import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats `look` until it does not throw, and returns its result. After `timeoutMs` throws its last error, which says
 * what was still wrong. The limit only bounds a failure: the default suffices for a slow machine and for a task that
 * Temporal dispatched to a dead poller, and dispatches again after ten seconds.
 *
 * `maxPauseMs` limits the pauses between looks: longer ones where many looks, or expensive ones, are repeated for seconds.
 *
 * Use assert.equal() and its like, or give assert.ok() a message: without one Node parses the whole test file for the
 * message of each failure, and this process does nothing else meanwhile.
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  timeoutMs = 60_000,
  maxPauseMs = MAX_PAUSE_MS,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}

/** A look costs CPU time that the observed processes need, so the pauses grow. */
const MAX_PAUSE_MS = 100;
