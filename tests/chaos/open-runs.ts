import { WorkflowNotFoundError } from '@temporalio/client';
import type { Installation } from '../installation.ts';

/** Workflows that wait for a moment to come, or whose moment has just come; every other ends once it has done its work. */
const PLANNED: ReadonlySet<string> = new Set(['quoteLifecycle', 'expiryReminder', 'housekeeping']);

/** What runs: the types of workflows by their ids. */
export async function openRuns({ temporal }: Installation): Promise<ReadonlyMap<string, string>> {
  const open = new Map<string, string>();
  for await (const run of temporal.workflow.list({ query: "ExecutionStatus = 'Running'" })) {
    open.set(run.workflowId, run.type);
  }
  return open;
}

/** Those that have work to do, each as "type id"; at rest there are none. */
export const busyRuns = (open: ReadonlyMap<string, string>): readonly string[] =>
  [...open].filter(([, type]) => !PLANNED.has(type)).map(([id, type]) => `${type} ${id}`);

/** Asked of the run itself: a list may not have it yet, a second after it was started. */
export const isRunning = async (service: Installation, workflowId: string): Promise<boolean> =>
  (await described(service, workflowId))?.status.name === 'RUNNING';

/** Whether it has work besides waiting: a pending activity, or a signal or update not yet processed. */
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

/** The pending activities of an execution that should have ended, and why they are pending. */
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
