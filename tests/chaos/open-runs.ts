import { WorkflowNotFoundError } from '@temporalio/client';
import type { Installation } from '../installation.ts';

/** Workflows that wait for a time; every other ends once it has done its work. */
const PLANNED: ReadonlySet<string> = new Set(['quoteLifecycle', 'expiryReminder', 'housekeeping']);

/** Open executions: workflow types by id. */
export async function openRuns({ temporal }: Installation): Promise<ReadonlyMap<string, string>> {
  const open = new Map<string, string>();
  for await (const run of temporal.workflow.list({ query: "ExecutionStatus = 'Running'" })) {
    open.set(run.workflowId, run.type);
  }
  return open;
}

/** Those with pending work, each as "type id"; none at rest. */
export const busyRuns = (open: ReadonlyMap<string, string>): readonly string[] =>
  [...open].filter(([, type]) => !PLANNED.has(type)).map(([id, type]) => `${type} ${id}`);

/** Asks the execution itself: a list may not show it yet, a second after its start. */
export const isRunning = async (service: Installation, workflowId: string): Promise<boolean> =>
  (await described(service, workflowId))?.status.name === 'RUNNING';

/** Whether it has pending work besides waiting: a step is not done, or a signal is unprocessed. */
export async function isWorking(service: Installation, workflowId: string): Promise<boolean> {
  const { pendingActivities, pendingWorkflowTask } = (await described(service, workflowId))?.raw ?? {};
  return Boolean(pendingWorkflowTask) || (pendingActivities ?? []).length > 0;
}

async function described({ temporal }: Installation, workflowId: string) {
  try {
    return await temporal.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** What an execution is doing, for the error that it has not ended: its pending steps, and why. */
export async function standsAt(service: Installation, workflowId: string): Promise<string> {
  const { pendingActivities, pendingWorkflowTask } = (await described(service, workflowId))?.raw ?? {};
  const steps = (pendingActivities ?? []).map(
    ({ activityType, state, attempt, lastFailure, nextAttemptScheduleTime }) => ({
      step: activityType?.name,
      state,
      attempt,
      failure: lastFailure?.message,
      nextAt: nextAttemptScheduleTime?.seconds && new Date(Number(nextAttemptScheduleTime.seconds) * 1_000),
    }),
  );
  return JSON.stringify({ steps, task: pendingWorkflowTask });
}
