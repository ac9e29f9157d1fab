import { withTimeout } from '../adapters/timeout.ts';
import { unavailable } from '../domain/errors.ts';

/** The last resort of every request: whatever its parts do, the caller gets a response within ten seconds. */
const DEADLINE_MS = 9_700;

/**
 * The work's outcome, or `unavailable` when it takes too long. The work itself continues.
 *
 * @param spentMs of the request's time, by earlier parts of it; what its caller took to send it does not count
 */
export const withinDeadline = <T>(work: Promise<T>, spentMs = 0): Promise<T> =>
  withTimeout(work, DEADLINE_MS - spentMs, () => unavailable(new Error('the request took too long')));
