import { newId } from '../../db/ids.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { deliveryEmptied, deliveryNotFound, webhookInactive } from '../../domain/errors.ts';
import { lockWebhook } from './queries.ts';

/**
 * A new delivery of the same event: same `webhook-id`, same bytes. It waits for whoever hands deliveries over. An
 * inactive webhook would only skip it, so it is refused.
 */
export async function replayDelivery(
  trx: TenantTransaction,
  caller: Caller,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<WebhookDelivery> {
  const { tenantId } = caller;
  // The lock makes two replays of one event take two numbers.
  const { isActive } = await lockWebhook(trx, tenantId, webhookId);
  const original = await WebhookDelivery.query(trx).findOne({ tenantId, webhookId, id: deliveryId });
  if (!original) throw deliveryNotFound();
  if (original.bodiesPurgedAt) throw deliveryEmptied();
  if (!isActive) throw webhookInactive();

  const { event, eventId, sequence, payload } = original;
  const newest = await WebhookDelivery.query(trx)
    .where({ tenantId, webhookId, eventId })
    .orderBy('replay', 'desc')
    .first()
    .throwIfNotFound();
  const replayed = await WebhookDelivery.query(trx).insertAndFetch({
    id: newId(),
    tenantId,
    webhookId,
    event,
    eventId,
    replay: newest.replay + 1,
    sequence,
    payload,
  });
  await recordAudit(trx, memberActor(caller), {
    action: 'replay',
    entity: 'Webhook',
    entityId: webhookId,
    metadata: { deliveryId, newDeliveryId: replayed.id, event },
  });
  return replayed;
}
