import { activityInfo } from '@temporalio/activity';
import type { WorkflowExecutionRef } from '../domain/workflow-execution-ref.ts';

/** The run whose step this is, for the audit entry of what it does. Throws outside of a workflow's activity. */
export function ownRun(): WorkflowExecutionRef {
  const { workflowExecution } = activityInfo();
  if (!workflowExecution) throw new Error('this step was started by no workflow');
  const { workflowId, runId } = workflowExecution;
  return { workflowId, runId };
}
