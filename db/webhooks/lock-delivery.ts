import type { Webhook } from '../models/webhook.ts';
import type { WebhookDelivery } from '../models/webhook-delivery.ts';

/** Every statement that changes a delivery or its endpoint's health locks both rows, the webhook's first. */

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
  | 'consecutiveFailures'
  | 'nextProbeAt'
  | 'nextSlotAt'
>;

export type LockedDelivery = Pick<
  WebhookDelivery,
  'id' | 'event' | 'eventId' | 'replay' | 'sequence' | 'payload' | 'status' | 'dueAt'
>;

/** One row of the two; `lockedRows` takes it apart. */
export type LockedRow = Omit<LockedWebhook, 'id'> &
  Omit<LockedDelivery, 'id'> & { readonly webhookId: string; readonly deliveryId: string };

/** Common table expressions `webhook` and `delivery` of tenant $1 and delivery $2. A lock that is waited for reads the newest row. */
export const LOCK_DELIVERY = `webhook as materialized (
     select id, tenant_id, url, secret_sealed, previous_secret_sealed, previous_valid_until, is_active, failing_since,
            consecutive_failures, next_probe_at, next_slot_at
       from webhooks
      where tenant_id = $1 and id in (select webhook_id from webhook_deliveries where tenant_id = $1 and id = $2)
      for no key update
   ), delivery as materialized (
     select d.id, d.event, d.event_id, d.replay, d.sequence, d.payload, d.status, d.status_code, d.due_at
       from webhook join webhook_deliveries d on d.tenant_id = webhook.tenant_id and d.id = $2
      for update of d
   )`;

/** The columns of a LockedRow, from rows of these two. */
export const LOCKED_COLUMNS = `w.id as "webhookId", w.tenant_id as "tenantId", w.url, w.secret_sealed as "secretSealed",
   w.previous_secret_sealed as "previousSecretSealed", w.previous_valid_until as "previousValidUntil",
   w.is_active as "isActive", w.failing_since as "failingSince", w.consecutive_failures as "consecutiveFailures",
   w.next_probe_at as "nextProbeAt", w.next_slot_at as "nextSlotAt", d.id as "deliveryId", d.event,
   d.event_id as "eventId", d.replay, d.sequence, d.payload, d.status, d.due_at as "dueAt"`;

export const lockedRows = (row: LockedRow): { readonly webhook: LockedWebhook; readonly delivery: LockedDelivery } => ({
  webhook: { ...row, id: row.webhookId },
  delivery: { ...row, id: row.deliveryId },
});
