import { readFileSync } from 'node:fs';

/**
 * The longest that the work keeps the event loop to itself, in milliseconds of the main thread's CPU: a process that
 * has to wait for a core blocks nobody by its own doing.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let working = true;
  let longest = 0;
  const watch = (async () => {
    let last = mainThreadNs();
    while (working) {
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
      const now = mainThreadNs();
      longest = Math.max(longest, now - last);
      last = now;
    }
  })();
  try {
    await work();
  } finally {
    working = false;
    await watch;
  }
  return longest / 1e6;
}

/** The main thread has the process's number. */
const mainThreadNs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0] ?? 0);
