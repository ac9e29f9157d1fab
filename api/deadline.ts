import { withTimeout } from '../adapters/timeout.ts';
import { deadlineExceeded } from '../domain/errors.ts';

/** Upper bound for the response time of every request. */
const DEADLINE_MS = 9_700;

/**
 * Rejects with `unavailable` if the work takes too long. The work itself continues.
 *
 * @param spentMs time that earlier parts of the request took, without the time to receive it
 */
export const withinDeadline = <T>(work: Promise<T>, spentMs = 0): Promise<T> =>
  withTimeout(work, DEADLINE_MS - spentMs, () => deadlineExceeded(new Error('the request took too long')));
