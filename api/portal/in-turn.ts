const waiting = new Map<string, Promise<unknown>>();

/** Runs the work after whatever this process is doing for the same key. Other processes are held off by row locks. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = waiting.get(key) ?? Promise.resolve();
  const job = before.then(work, work);
  waiting.set(key, job);
  try {
    return await job;
  } finally {
    if (waiting.get(key) === job) waiting.delete(key);
  }
}
