import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Looks again and again until looking no longer throws, and returns what it saw. After `timeoutMs` the last error is
 * thrown: what was still wrong, rather than that time ran out. It only bounds a failure: by default it is long enough for
 * a slow machine and for a task that Temporal handed to a poller that was gone, and hands out anew after ten seconds.
 *
 * Look with assert.equal() and its like, or give assert.ok() a message: without one Node parses the whole test file for
 * its words at each failure, and this process does nothing else meanwhile.
 */
export async function eventually<T>(look: () => T | Promise<T>, timeoutMs = 60_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(25);
    }
  }
}
