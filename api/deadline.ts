import { withTimeout } from '../adapters/timeout.ts';
import { deadlineExceeded } from '../domain/errors.ts';

/** Upper bound for the response time of every request. */
const DEADLINE_MS = 9_700;

/**
 * When a request that begins now becomes `deadline_exceeded`, in epoch milliseconds.
 *
 * @param spentMs time that earlier parts of the request took, without the time to receive it
 */
export const requestDeadline = (spentMs = 0): number => Date.now() + DEADLINE_MS - spentMs;

/** Rejects with `deadline_exceeded` when the work has not ended by then. The work itself continues. */
export const withinDeadline = <T>(work: Promise<T>, deadline = requestDeadline()): Promise<T> =>
  withTimeout(work, deadline - Date.now(), () => deadlineExceeded(new Error('the request took too long')));
