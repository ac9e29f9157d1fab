import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

/** Milliseconds before an activity that found no permit tries again; doubled at most by jitter. */
const RETRY_MS = 200;

/** For an activity that found no permit: it frees its slot, and Temporal retries it soon, however often that takes. */
export const throttled = (cause: Error): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'Throttled',
    message: 'Hay otro trabajo en curso; este espera su turno',
    nextRetryDelay: Math.round(RETRY_MS * (1 + Math.random())),
    category: ApplicationFailureCategory.BENIGN,
    cause,
  });
