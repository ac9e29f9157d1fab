import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

const FIRST_PAUSE_MS = 200;

/** The longest backoff of an activity that found no permit; jitter at most doubles it. */
export const MAX_PAUSE_MS = { whileSomebodyWaits: 1_600, inBackground: 30_000 } as const;

/** For an activity that found no permit: it frees its slot, and Temporal retries it with backoff, without end. */
export const throttled = (cause: Error, maxPauseMs: number): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'Throttled',
    message: 'Hay otro trabajo en curso; este espera su turno',
    nextRetryDelay: Math.round(
      Math.min(FIRST_PAUSE_MS * 2 ** (activityInfo().attempt - 1), maxPauseMs) * (1 + Math.random()),
    ),
    category: ApplicationFailureCategory.BENIGN,
    cause,
  });
