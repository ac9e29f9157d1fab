import type { WorkflowHandle } from '@temporalio/client';
import type { Installation } from '../installation.ts';

type Event = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

/** Of Temporal's TimeoutType: the task was given to a worker, which did not respond in time. */
const START_TO_CLOSE = 1;

/**
 * Tasks and steps that a worker took and never finished, of all executions, each as "workflow id: event". An execution
 * continues after each, but only after the timeout.
 */
export async function lostTasks({ temporal }: Installation): Promise<readonly string[]> {
  const lost: string[] = [];
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const event of (events ?? []).filter(ranOut)) lost.push(`${workflowId}: event ${String(event.eventId)}`);
  }
  return lost;
}

function ranOut({
  workflowTaskTimedOutEventAttributes: task,
  activityTaskStartedEventAttributes: step,
}: Event): boolean {
  return Number(task?.timeoutType) === START_TO_CLOSE || Boolean(step?.lastFailure?.timeoutFailureInfo);
}
