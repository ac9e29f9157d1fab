import { MockActivityEnvironment } from '@temporalio/testing';

/** A step as one attempt runs it. */
type Attempt = <Result>(step: () => Promise<Result>, options?: AttemptOptions) => Promise<Result>;

interface AttemptOptions {
  /** Milliseconds since the activity was first scheduled. */
  readonly scheduledMsAgo?: number;
}

/**
 * The attempts of one activity, one after the other: each is given the details of the last heartbeat, as Temporal gives
 * them. An attempt whose result is ignored stands for one that was lost with its worker after it had done its work.
 */
export function attempts(): Attempt {
  let attempt = 0;
  let heartbeatDetails: unknown;
  return (step, { scheduledMsAgo = 0 } = {}) => {
    attempt += 1;
    const env = new MockActivityEnvironment({
      attempt,
      heartbeatDetails,
      scheduledTimestampMs: Date.now() - scheduledMsAgo,
      currentAttemptScheduledTimestampMs: Date.now(),
    });
    env.on('heartbeat', (details: unknown) => {
      heartbeatDetails = details;
    });
    return env.run(step);
  };
}
