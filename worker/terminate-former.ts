import { type Client as TemporalClient, WorkflowNotFoundError } from '@temporalio/client';
import type { Log } from '../adapters/log.ts';

/** The task queues that workers of former versions polled for workflow tasks. */
const FORMER_QUEUES = ['quotes', 'documents', 'webhooks', 'automations'] as const;
/** Of one pass, so that it ends; the next pass finds the rest. */
const MAX_TERMINATED = 1_000;
const CALL_DEADLINE_MS = 10_000;

/**
 * Terminates our executions that no worker can continue, because none polls their task queue for workflow tasks: those
 * of types that no longer exist, and those whose rows are finished. To be called when the unfinished rows have executions
 * of their own. Returns how many.
 */
export async function terminateFormer(
  { temporal, log }: { readonly temporal: TemporalClient; readonly log: Log },
  { olderThanSeconds }: { readonly olderThanSeconds: number },
): Promise<number> {
  const queues = FORMER_QUEUES.map((name) => `'${name}'`).join(', ');
  const before = new Date(Date.now() - olderThanSeconds * 1_000).toISOString();
  // Another program may use the namespace, too; housekeeping belongs to no tenant.
  const query = `ExecutionStatus = 'Running' and TaskQueue in (${queues}) and StartTime < '${before}'
    and (TenantId is not null or WorkflowType = 'housekeeping')`;
  const found: { readonly workflowId: string; readonly runId: string }[] = [];
  await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, async () => {
    for await (const execution of temporal.workflow.list({ query })) {
      if (found.push(execution) >= MAX_TERMINATED) break;
    }
  });
  for (const { workflowId, runId } of found) {
    try {
      // Of this run only: the list lags, and the id may belong to its replacement.
      await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
        temporal.workflow.getHandle(workflowId, runId).terminate('replaced after an upgrade'),
      );
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
  if (found.length > 0) log.warn({ terminated: found.length }, 'executions of a former version were terminated');
  return found.length;
}
