import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';

/** The failure that an activity threw, when `error` is an activity's failure; its `type` is one of `failures.ts`. */
export function failureOf(error: unknown): ApplicationFailure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof ApplicationFailure ? cause : undefined;
}
