import { setTimeout as sleep } from 'node:timers/promises';
import { type Client as TemporalClient, WorkflowNotFoundError } from '@temporalio/client';
import pLimit from 'p-limit';
import { CommandError } from './commands/command.ts';

const CONCURRENCY = 8;
const CALL_DEADLINE_MS = 10_000;
const POLL_MS = 500;
/** An activity ends within its own time limits; a lost one is known to be lost after its heartbeat or start-to-close timeout. */
const PATIENCE_MS = 5 * 60_000;
/** PENDING_ACTIVITY_STATE_STARTED of Temporal's API. */
const STARTED = 2;

const runningOf = (tenantId: string): string => `TenantId = '${tenantId}' and ExecutionStatus = 'Running'`;

/** How many executions of a tenant are running. */
export async function countRunning(temporal: TemporalClient, tenantId: string): Promise<number> {
  const { count } = await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
    temporal.workflow.count(runningOf(tenantId)),
  );
  return count;
}

/**
 * Terminates all executions of a tenant. One with an activity that a worker is executing is left until that has ended, so
 * that no mail or call is cut in the middle. Returns how many.
 */
export async function terminateExecutions(temporal: TemporalClient, tenantId: string): Promise<number> {
  const until = Date.now() + PATIENCE_MS;
  const terminated = new Set<string>();
  const limit = pLimit(CONCURRENCY);
  for (;;) {
    const running: { readonly workflowId: string; readonly runId: string }[] = [];
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, async () => {
      for await (const execution of temporal.workflow.list({ query: runningOf(tenantId) })) running.push(execution);
    });
    if (running.length === 0) return terminated.size;
    await Promise.all(
      running.map((execution) =>
        limit(async () => {
          if (await terminateIfIdle(temporal, execution)) terminated.add(execution.runId);
        }),
      ),
    );
    // The list lags behind: those that were terminated may be in it for a while.
    const busy = running.filter(({ runId }) => !terminated.has(runId)).length;
    if (Date.now() > until)
      throw new CommandError(
        busy > 0
          ? `Hay ${busy} ejecuciones con actividades en curso que no terminan; repita la orden más tarde.`
          : 'Temporal sigue contando ejecuciones que ya se terminaron; repita la orden más tarde.',
      );
    await sleep(POLL_MS);
  }
}

/** Returns false while a worker executes an activity of it. */
async function terminateIfIdle(
  temporal: TemporalClient,
  { workflowId, runId }: { readonly workflowId: string; readonly runId: string },
): Promise<boolean> {
  const handle = temporal.workflow.getHandle(workflowId, runId);
  try {
    return await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, async () => {
      const { raw, status } = await handle.describe();
      if (status.name !== 'RUNNING') return true;
      // The SDK's enum is not exported to its users.
      const state = (activity: { readonly state?: unknown }) => Number(activity.state);
      if (raw.pendingActivities?.some((activity) => state(activity) === STARTED)) return false;
      await handle.terminate('the tenant is being deleted');
      return true;
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return true;
    throw error;
  }
}
