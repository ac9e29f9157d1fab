import { openSync, readSync } from 'node:fs';

/**
 * The longest that the work keeps the event loop to itself, in milliseconds of the main thread's CPU: a process that
 * has to wait for a core blocks nobody by its own doing. The least of five times: what else the machine does makes a turn
 * longer, by a busy sibling of the core or by caches that went cold, and never shorter.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const longest: number[] = [];
  for (let time = 0; time < 5; time++) longest.push(await longestTurnOnce(work));
  return Math.min(...longest);
}

/** The same of one time. */
export async function longestTurnOnce(work: () => Promise<unknown>): Promise<number> {
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

let schedstat: number | undefined;
const line = Buffer.alloc(64);

/** CPU time of the main thread, which has the process's number. The file stays open: it is read at every turn. */
export function mainThreadNs(): number {
  schedstat ??= openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const length = readSync(schedstat, line, 0, line.length, 0);
  return Number(line.toString('latin1', 0, line.indexOf(' ')).slice(0, length));
}
