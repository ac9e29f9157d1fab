const waiting = new Map<string, Promise<unknown>>();

/** Runs the work after earlier work of this process for the same key. Row locks serialize across processes. */
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
