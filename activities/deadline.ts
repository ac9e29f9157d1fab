import { activityInfo } from '@temporalio/activity';
import { permanent } from './permanent-failure.ts';
import type { FailureType } from '../workflows/failures.ts';

/**
 * Retry or give up? Somebody waits for a share, so a part that is away is tried again only until so many milliseconds
 * after the step was first scheduled. Time spent without a worker counts, yet never ends the step by itself: the
 * attempt that comes back late still runs once.
 */
export function giveUpAfter(error: unknown, type: FailureType, afterMs: number): unknown {
  const waitedMs = Date.now() - activityInfo().scheduledTimestampMs;
  if (waitedMs < afterMs) return error;
  return error instanceof Error ? permanent(type, error.message, error) : permanent(type, String(error));
}

/** A step of an activity took longer than the attempt can spare. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/**
 * The result of `work`, or TooSlow when it is not there after so many milliseconds; what comes later is dropped. A process
 * that stood still meanwhile may hear of the result before it hears that the time is over.
 */
export async function within<T>(afterMs: number, work: Promise<T>): Promise<T> {
  const until = Date.now() + afterMs;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TooSlow(`no result within ${afterMs} ms`)), afterMs);
  });
  try {
    const result = await Promise.race([work, late]);
    return Date.now() > until ? await late : result;
  } finally {
    clearTimeout(timer);
  }
}
