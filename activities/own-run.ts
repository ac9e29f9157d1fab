import { activityInfo } from '@temporalio/activity';
import type { RunName } from '../domain/run-name.ts';

/** The run whose step this is, for the audit entry of what it does. Throws outside of a workflow's activity. */
export function ownRun(): RunName {
  const { workflowExecution } = activityInfo();
  if (!workflowExecution) throw new Error('this step was started by no workflow');
  const { workflowId, runId } = workflowExecution;
  return { workflowId, runId };
}
