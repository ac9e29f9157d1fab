import { unavailable } from '../domain/errors.ts';

/** Upper bound for the response time of every request. */
const DEADLINE_MS = 9_700;

/**
 * Rejects with `unavailable` if the work takes too long. The work itself continues.
 *
 * @param spentMs time that earlier parts of the request took, without the time to receive it
 */
export async function withinDeadline<T>(work: Promise<T>, spentMs = 0): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error('the request took too long'))), DEADLINE_MS - spentMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
