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
export async function isRunning({ temporal }: Installation, workflowId: string): Promise<boolean> {
  try {
    return (await temporal.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
