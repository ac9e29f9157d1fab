import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

/**
 * Retry or give up? Somebody waits for a share, so a part that is away is tried again only until so many milliseconds
 * after the step was first scheduled. Time spent without a worker counts, yet never ends the step by itself: the
 * attempt that comes back late still runs once.
 */
export function orGiveUp(error: unknown, type: string, afterMs: number): unknown {
  const waitedMs = Date.now() - activityInfo().scheduledTimestampMs;
  if (waitedMs < afterMs) return error;
  const message = error instanceof Error ? error.message : String(error);
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: true,
    ...(error instanceof Error && { cause: error }),
  });
}
