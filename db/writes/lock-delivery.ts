import type { NamedStatement, RowsOfEach } from '../pipeline.ts';
import type { Webhook } from '../models/webhook.ts';
import type { WebhookDelivery } from '../models/webhook-delivery.ts';

/** Whoever changes a delivery or its endpoint's health locks both rows: the webhook's first, then the delivery's. */

export type LockedWebhook = Pick<
  Webhook,
  | 'id'
  | 'tenantId'
  | 'url'
  | 'secretSealed'
  | 'previousSecretSealed'
  | 'previousValidUntil'
  | 'isActive'
  | 'failingSince'
  | 'failuresInRow'
  | 'probeAt'
  | 'turnAt'
>;

export type LockedDelivery = Pick<
  WebhookDelivery,
  'id' | 'event' | 'eventId' | 'replay' | 'sequence' | 'payload' | 'status' | 'dueAt' | 'batchId' | 'leftBatchAt'
>;

/** To be sent together, in this order; `lockedRows` reads their answers. */
export const lockDelivery = (tenantId: string, deliveryId: string): readonly [NamedStatement, NamedStatement] => [
  {
    name: 'lock-webhook-of-delivery',
    text: `select id, tenant_id as "tenantId", url, secret_sealed as "secretSealed", previous_secret_sealed as "previousSecretSealed",
        previous_valid_until as "previousValidUntil", is_active as "isActive", failing_since as "failingSince",
        failures_in_row as "failuresInRow", probe_at as "probeAt", turn_at as "turnAt"
      from webhooks
      where tenant_id = $1 and id in (select webhook_id from webhook_deliveries where tenant_id = $1 and id = $2)
      for no key update`,
    values: [tenantId, deliveryId],
  },
  {
    name: 'lock-delivery',
    text: `select id, event, event_id as "eventId", replay, sequence, payload, status, due_at as "dueAt", batch_id as "batchId",
        left_batch_at as "leftBatchAt"
      from webhook_deliveries where tenant_id = $1 and id = $2 for update`,
    values: [tenantId, deliveryId],
  },
];

/** Undefined when the webhook was deleted, and its deliveries with it. */
export function lockedRows([webhooks, deliveries]: RowsOfEach):
  | { readonly webhook: LockedWebhook; readonly delivery: LockedDelivery }
  | undefined {
  // The columns are those of the statements above.
  const [webhook] = webhooks as LockedWebhook[];
  const [delivery] = deliveries as LockedDelivery[];
  return webhook && delivery && { webhook, delivery };
}
