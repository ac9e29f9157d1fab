import { WebhookDelivery } from '../models/webhook-delivery.ts';
import { markEventRecorded, tenantOf, type TenantTransaction } from '../with-tenant.ts';

/**
 * Takes deliveries out of the hands of the batch that carries them: the relay gives each a run of its own, at once, and
 * that goes on where the batch left off. Those that have ended, or have left before, stay as they are.
 */
export async function leaveBatch(trx: TenantTransaction, batchId: string, deliveryIds: readonly string[]) {
  const left = await WebhookDelivery.query(trx)
    .where({ tenantId: tenantOf(trx), batchId, status: 'PENDING' })
    .whereIn('id', [...deliveryIds])
    .whereNull('leftBatchAt')
    .patch({ leftBatchAt: trx.fn.now(), handedOverAt: null, attempts: 0, nextAttemptAt: trx.fn.now() });
  if (left > 0) markEventRecorded(trx);
}
