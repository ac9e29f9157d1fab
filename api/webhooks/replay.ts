import { newId } from '../../db/ids.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { deliveryEmptied, deliveryNotFound, webhookInactive } from '../../domain/errors.ts';
import { lockWebhook } from './queries.ts';

/**
 * Creates a new delivery of the same event, with the same `webhook-id` and bytes; the dispatcher sends it. Refused for
 * an inactive webhook, whose deliveries are skipped.
 */
export async function replayDelivery(
  trx: TenantTransaction,
  caller: Caller,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<WebhookDelivery> {
  const { tenantId } = caller;
  // The lock serializes replays of an event, so that each gets its own number.
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
