import type { Client as TemporalClient } from '@temporalio/client';
import { status, statusOf } from '../adapters/temporal/status.ts';
import { attributes } from '../workflows/contract.ts';

const CALL_DEADLINE_MS = 5_000;

/**
 * Ends the runs that wait to call a webhook again which was deleted. One call however many there are: the server cancels
 * them one after the other. A run that visibility does not show yet makes its first attempt, finds no row, and ends.
 */
export async function endDeliveriesOf(
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
    // An attempt whose answer was lost had started it.
    if (statusOf(error) !== status.alreadyExists) throw error;
  }
}
