import type { DeliveryStatus, NoAnswer } from '../../domain/outbound.ts';
import { hasFeature } from '../../domain/plans.ts';
import { newId } from '../ids.ts';
import { Tenant } from '../models/tenant.ts';
import { Webhook } from '../models/webhook.ts';
import { WebhookAttempt } from '../models/webhook-attempt.ts';
import { WebhookDelivery } from '../models/webhook-delivery.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** Calls that one endpoint is given at the same time (decisions, section 6). */
const MOST_IN_FLIGHT = 2;
/** An attempt that began longer ago than its deadline and a margin died with its worker. */
const IN_FLIGHT = "interval '15 seconds'";
/** Clocks of two machines differ a little: so much too early is on time. Milliseconds. */
const ON_TIME_MS = 250;

/** What the next attempt of a delivery is, or why there is none now. */
export type Opening =
  | { readonly kind: 'open'; readonly attempt: OpenAttempt }
  | { readonly kind: 'ended'; readonly status: DeliveryStatus; readonly before: boolean }
  /** Deleted, and its webhook with it. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'busy'; readonly ended: number }
  | { readonly kind: 'early'; readonly waitMs: number; readonly ended: number };

export interface OpenAttempt {
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
  /** From 1. */
  readonly number: number;
  /** Whoever holds the newest may close the attempt. */
  readonly claimToken: string;
}

/**
 * Opens the next attempt before the call is made, so that one that dies is seen. Its number follows the attempts that
 * ended: one that died with its worker, or found the endpoint busy, is made again under the same number. A delivery
 * whose webhook is off, or whose tenant has no plan for it, ends here: skipped, or cancelled after attempts.
 */
export async function openAttempt(trx: TenantTransaction, deliveryId: string): Promise<Opening> {
  const tenantId = tenantOf(trx);
  const locked = await lockDelivery(trx, deliveryId);
  if (!locked) return { kind: 'gone' };
  const { webhook, delivery } = locked;
  if (delivery.status !== 'PENDING') return { kind: 'ended', status: delivery.status, before: true };

  const ended = await WebhookAttempt.query(trx).where({ tenantId, deliveryId }).whereNotNull('finishedAt').resultSize();
  const { plan } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  if (!webhook.isActive || !hasFeature(plan, 'webhooks')) {
    const status = ended === 0 ? 'SKIPPED' : 'CANCELLED';
    await endDelivery(trx, deliveryId, status);
    return { kind: 'ended', status, before: false };
  }
  const waitMs = (delivery.dueAt?.getTime() ?? 0) - Date.now();
  if (waitMs > ON_TIME_MS) return { kind: 'early', waitMs, ended };
  if ((await inFlight(trx, webhook.id, deliveryId)) >= MOST_IN_FLIGHT) return { kind: 'busy', ended };

  const number = ended + 1;
  const claimToken = newId();
  await WebhookAttempt.query(trx)
    .insert({ id: newId(), tenantId, deliveryId, number, claimToken, startedAt: new Date() })
    .onConflict(['tenantId', 'deliveryId', 'number'])
    .merge(['claimToken', 'startedAt']);
  return { kind: 'open', attempt: { webhook, delivery, number, claimToken } };
}

/** The webhook's row first, then the delivery's, as everybody locks them; undefined when they are gone. */
export async function lockDelivery(
  trx: TenantTransaction,
  deliveryId: string,
): Promise<{ webhook: Webhook; delivery: WebhookDelivery } | undefined> {
  const tenantId = tenantOf(trx);
  const found = await WebhookDelivery.query(trx).findOne({ tenantId, id: deliveryId });
  const webhook = found && (await Webhook.query(trx).findOne({ tenantId, id: found.webhookId }).forNoKeyUpdate());
  const delivery = webhook && (await WebhookDelivery.query(trx).findOne({ tenantId, id: deliveryId }).forUpdate());
  return delivery && { webhook, delivery };
}

/** Other deliveries' attempts that are under way at that webhook. */
async function inFlight(trx: TenantTransaction, webhookId: string, deliveryId: string): Promise<number> {
  const { rows } = await trx.raw<{ rows: { count: number }[] }>(
    `select count(*)::int as count from webhook_attempts a
       join webhook_deliveries d on d.tenant_id = a.tenant_id and d.id = a.delivery_id
      where a.tenant_id = ? and a.finished_at is null and a.started_at > now() - ${IN_FLIGHT}
        and d.webhook_id = ? and d.id <> ?`,
    [tenantOf(trx), webhookId, deliveryId],
  );
  return rows[0]?.count ?? 0;
}

/** How a call went. */
export interface Answer {
  /** 0 = no answer. */
  readonly statusCode: number;
  readonly errorCode: NoAnswer | null;
  readonly body: string;
  readonly durationMs: number;
}

/** Ends the attempt with that token. False when another attempt has taken over: what came late counts for nothing. */
export async function finishAttempt(
  trx: TenantTransaction,
  { deliveryId, claimToken }: { deliveryId: string; claimToken: string },
  { statusCode, errorCode, body: responseBody, durationMs }: Answer,
): Promise<boolean> {
  const finished = await WebhookAttempt.query(trx)
    .where({ tenantId: tenantOf(trx), deliveryId, claimToken })
    .whereNull('finishedAt')
    .patch({ statusCode, responseBody, errorCode, durationMs, finishedAt: new Date() });
  if (finished === 0) return false;
  await WebhookDelivery.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: deliveryId })
    .patch({ statusCode, responseBody, errorCode });
  return true;
}

/** No attempt follows. */
export async function endDelivery(
  trx: TenantTransaction,
  deliveryId: string,
  status: Exclude<DeliveryStatus, 'PENDING'>,
): Promise<void> {
  const now = new Date();
  await WebhookDelivery.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: deliveryId })
    .patch({ status, completedAt: now, deliveredAt: status === 'DELIVERED' ? now : null, dueAt: null });
}

/** The next attempt may begin then. */
export async function postponeDelivery(trx: TenantTransaction, deliveryId: string, dueAt: Date): Promise<void> {
  await WebhookDelivery.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: deliveryId })
    .patch({ dueAt });
}
