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

/**
 * Refuses the first attempt when it begins later after it was scheduled than one may take. A worker that stood still gets
 * it then, which Temporal has given up and had made elsewhere: of an effect that PostgreSQL cannot fence, such as a mail,
 * there would be two. If none was made it was only kept waiting, and the next attempt follows at once, whenever it begins.
 */
export function refuseWhenOverdue(): void {
  const { attempt, currentAttemptScheduledTimestampMs, startToCloseTimeoutMs } = activityInfo();
  const waitedMs = Date.now() - currentAttemptScheduledTimestampMs;
  if (attempt > 1 || startToCloseTimeoutMs === undefined || waitedMs <= startToCloseTimeoutMs) return;
  throw ApplicationFailure.create({
    type: 'AttemptOverdue',
    message: 'El intento empezó cuando ya debía haber terminado; otro lo sustituye',
    nextRetryDelay: 1,
  });
}

/** A step of an activity took longer than the attempt can spare. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** The result of `work`, or TooSlow when it is not there after so many milliseconds; what comes later is dropped. */
export async function within<T>(afterMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TooSlow(`no result within ${afterMs} ms`)), afterMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
