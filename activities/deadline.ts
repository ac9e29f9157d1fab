import { activityInfo } from '@temporalio/activity';
import type { FailureType } from '../workflows/failures.ts';
import { withTimeout } from '../adapters/timeout.ts';
import { permanent } from './permanent-failure.ts';

/**
 * The error to throw: the given one, which is retried, or a permanent failure once so many milliseconds have passed since
 * the activity was first scheduled. Time without a worker counts, but does not end the activity by itself: the attempt that
 * starts late still runs once.
 */
export function giveUpAfter(error: unknown, type: FailureType, afterMs: number): unknown {
  const waitedMs = Date.now() - activityInfo().scheduledTimestampMs;
  if (waitedMs < afterMs) return error;
  return error instanceof Error ? permanent(type, error.message, error) : permanent(type, String(error));
}

/** A part of an activity took longer than its attempt allows. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/**
 * The result of `work`, or TooSlow when there is none after so many milliseconds. A process that was paused meanwhile may
 * get the result before its timer fires: that is too slow as well.
 */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const until = Date.now() + timeoutMs;
  const late = () => new TooSlow(`no result within ${timeoutMs} ms`);
  const result = await withTimeout(work, timeoutMs, late);
  if (Date.now() > until) throw late();
  return result;
}
