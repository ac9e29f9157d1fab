import type { EndpointHealth } from '../../domain/endpoint-breaker.ts';
import type { DeliveryStatus, NoAnswer } from '../../domain/http-delivery.ts';
import { Webhook } from '../models/webhook.ts';
import { WebhookDelivery } from '../models/webhook-delivery.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

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

/** How a call ended. */
export interface EndpointResponse {
  /** 0 = no response. */
  readonly statusCode: number;
  readonly errorCode: NoAnswer | null;
  readonly body: string;
  readonly durationMs: number;
}

/** Ends a delivery without a success; `response` is that of its last attempt. */
export async function endDelivery(
  trx: TenantTransaction,
  deliveryId: string,
  {
    status,
    at,
    response,
  }: { status: Exclude<DeliveryStatus, 'PENDING' | 'DELIVERED'>; at: Date; response?: EndpointResponse },
): Promise<void> {
  await WebhookDelivery.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: deliveryId })
    .patch({ ...(response && newestAttempt(response)), status, completedAt: at, dueAt: null });
}

/** The columns of a delivery that show its newest attempt. */
export const newestAttempt = ({ statusCode, body, errorCode }: EndpointResponse) => ({
  statusCode,
  responseBody: body,
  errorCode,
});

/** Stores what changed of an endpoint's health. */
export async function updateHealth(
  trx: TenantTransaction,
  { id }: Pick<LockedWebhook, 'id'>,
  health: Partial<EndpointHealth>,
): Promise<void> {
  if (Object.keys(health).length === 0) return;
  await Webhook.query(trx)
    .findOne({ tenantId: tenantOf(trx), id })
    .patch(health);
}
