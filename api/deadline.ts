import { unavailable } from '../domain/errors.ts';

/** The net under every request: whatever its parts do, the caller hears something within ten seconds. */
const DEADLINE_MS = 9_700;

/**
 * The work's outcome, or `unavailable` when it takes too long. The work itself goes on.
 *
 * @param spentMs of the request's time, by earlier parts of it; what its caller took to send it does not count
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
