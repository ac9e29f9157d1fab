import { type Client as TemporalClient, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { WorkflowStartOptions } from '@temporalio/client';

const CALL_DEADLINE_MS = 5_000;
/**
 * Calls that one step of the relay has in flight: a start costs Temporal tens of milliseconds, so of more than these some
 * would not be answered within the deadline.
 */
export const CALLS_IN_FLIGHT = 40;

/** A run that is to be started: the workflow's name and how. */
export interface StartCall {
  readonly type: string;
  readonly options: WorkflowStartOptions & { readonly args: readonly unknown[] };
}

/** Starts it, or finds it: a run that exists, or existed, is the one that we wanted. */
export async function startOnce(temporal: TemporalClient, { type, options }: StartCall): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.start(type, { ...options, args: [...options.args] }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
