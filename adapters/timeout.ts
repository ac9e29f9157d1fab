/** Two ways to wait no longer than a time limit. The work itself is not stopped; a later result of it is dropped. */

/** The result of the work, or the error of `late` when there is none after so many milliseconds. */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The result of the work, or the reason of the signal when that is aborted first. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  // Whichever loses must not end the process as an unhandled rejection.
  aborted.catch(() => undefined);
  work.catch(() => undefined);
  return Promise.race([aborted, work]);
}
