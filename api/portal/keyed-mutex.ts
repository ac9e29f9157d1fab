const lastByKey = new Map<string, Promise<unknown>>();

/** Runs the work after earlier work of this process for the same key. Row locks serialize across processes. */
export async function runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = lastByKey.get(key) ?? Promise.resolve();
  const job = before.then(work, work);
  lastByKey.set(key, job);
  try {
    return await job;
  } finally {
    if (lastByKey.get(key) === job) lastByKey.delete(key);
  }
}
