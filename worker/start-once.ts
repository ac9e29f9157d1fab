import { type Client as TemporalClient, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { WorkflowStartOptions } from '@temporalio/client';

const CALL_DEADLINE_MS = 5_000;
/**
 * Calls that one step of the dispatcher has in flight: a start costs Temporal tens of milliseconds, so some of a larger
 * number would miss the deadline.
 */
export const MAX_CONCURRENT_CALLS = 40;

/** A workflow that is to be started, and how. */
export interface StartCall {
  readonly type: string;
  readonly options: WorkflowStartOptions & { readonly args: readonly unknown[] };
}

/** Starts it, unless an execution under its id exists or existed: that is the one that was wanted. */
export async function startOnce(temporal: TemporalClient, { type, options }: StartCall): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.start(type, { ...options, args: [...options.args] }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
