import { ApplicationFailure } from '@temporalio/common';
import type { FailureType } from '../workflows/failures.ts';

/** A failure that no retry cures. An automation's log shows the message, so it names no person. */
export const permanent = (type: FailureType, message: string, cause?: Error): ApplicationFailure =>
  ApplicationFailure.create({ type, message, nonRetryable: true, ...(cause && { cause }) });
