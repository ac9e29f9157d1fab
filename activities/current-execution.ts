import { activityInfo } from '@temporalio/activity';
import type { WorkflowExecutionRef } from '../domain/workflow-execution-ref.ts';

/** The workflow execution that called this activity, for its audit entries. Throws outside of a workflow's activity. */
export function currentExecution(): WorkflowExecutionRef {
  const { workflowExecution } = activityInfo();
  if (!workflowExecution) throw new Error('this activity was called by no workflow');
  const { workflowId, runId } = workflowExecution;
  return { workflowId, runId };
}
