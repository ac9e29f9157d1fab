import type { WorkflowHandle } from '@temporalio/client';
import type { Installation } from '../installation.ts';

type Event = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

/** Of Temporal's TimeoutType: the task was given to a worker, which did not answer in time. */
const START_TO_CLOSE = 1;

/**
 * What a worker was given and took with it: tasks and steps of all runs whose time ran out, each as "workflow id: event".
 * A run goes on after each, but only when the time is up.
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
