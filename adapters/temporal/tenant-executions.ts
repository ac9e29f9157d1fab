import { type Client as TemporalClient, WorkflowNotFoundError } from '@temporalio/client';
import pLimit from 'p-limit';

const CONCURRENCY = 8;
const CALL_DEADLINE_MS = 10_000;
/** PENDING_ACTIVITY_STATE_STARTED of Temporal's API; the SDK does not export the enum. */
const STARTED = 2;

const runningOf = (tenantId: string): string => `TenantId = '${tenantId}' and ExecutionStatus = 'Running'`;

/** How many executions of a tenant are running. The count lags behind a little. */
export async function countRunning(temporal: TemporalClient, tenantId: string): Promise<number> {
  const { count } = await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
    temporal.workflow.count(runningOf(tenantId)),
  );
  return count;
}

/** What one pass over the running executions of a tenant came to, by their run ids. */
export interface TerminationPass {
  readonly ended: readonly string[];
  /** Those with an activity that a worker is executing. */
  readonly busy: readonly string[];
}

/**
 * Terminates the executions of a tenant that are listed as running, except those with an activity that a worker is
 * executing: no mail or call is cut in the middle. The list lags behind a little, so a pass may find ended ones again.
 */
export async function terminateIdle(temporal: TemporalClient, tenantId: string): Promise<TerminationPass> {
  const running: { readonly workflowId: string; readonly runId: string }[] = [];
  await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, async () => {
    for await (const execution of temporal.workflow.list({ query: runningOf(tenantId) })) running.push(execution);
  });
  const limit = pLimit(CONCURRENCY);
  const ended: string[] = [];
  const busy: string[] = [];
  await Promise.all(
    running.map((execution) =>
      limit(async () => void ((await terminate(temporal, execution)) ? ended : busy).push(execution.runId)),
    ),
  );
  return { ended, busy };
}

/** Returns false while a worker executes an activity of it. */
async function terminate(
  temporal: TemporalClient,
  { workflowId, runId }: { readonly workflowId: string; readonly runId: string },
): Promise<boolean> {
  const handle = temporal.workflow.getHandle(workflowId, runId);
  try {
    return await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, async () => {
      const { raw, status } = await handle.describe();
      if (status.name !== 'RUNNING') return true;
      if (raw.pendingActivities?.some(({ state }) => Number(state) === STARTED)) return false;
      await handle.terminate('the tenant is being deleted');
      return true;
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return true;
    throw error;
  }
}
