import type { Client as TemporalClient } from '@temporalio/client';
import { status, statusOf } from '../adapters/temporal/status.ts';
import { attributes } from '../workflows/contract.ts';

const CALL_DEADLINE_MS = 5_000;

/**
 * Cancels the executions that wait to retry a webhook which was deleted. One call however many there are: the server cancels
 * them one after the other. An execution that visibility does not show yet finds no row at its next attempt, and ends.
 */
export async function cancelDeliveriesOf(
  temporal: TemporalClient,
  { jobId, webhookId }: { jobId: string; webhookId: string },
): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflowService.startBatchOperation({
        namespace: temporal.options.namespace,
        jobId,
        reason: 'the webhook was deleted',
        visibilityQuery: `WorkflowType = 'deliverWebhook' AND ${attributes.webhookId.name} = '${webhookId}' AND ExecutionStatus = 'Running'`,
        cancellationOperation: { identity: temporal.options.identity },
      }),
    );
  } catch (error) {
    // An earlier call, whose response was lost, started it.
    if (statusOf(error) !== status.alreadyExists) throw error;
  }
}
