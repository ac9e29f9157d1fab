import { Webhook } from '../../db/models/webhook.ts';
import { WebhookAttempt } from '../../db/models/webhook-attempt.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import { NEWEST, type PageQuery, readPage } from '../../db/reads/keyset.ts';
import { newestFirst } from '../../db/reads/newest-first.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { deliveryNotFound, webhookNotFound } from '../../domain/errors.ts';

/** The tenant's webhooks, newest first, each with the number of its deliveries. */
export async function listWebhooks(
  trx: TenantTransaction,
  tenantId: string,
): Promise<readonly (Webhook & { deliveryCount: number })[]> {
  const webhooks = await Webhook.query(trx)
    .where({ tenantId })
    .select(
      'webhooks.*',
      trx.raw(
        `(select count(*)::int from webhook_deliveries d
           where d.tenant_id = webhooks.tenant_id and d.webhook_id = webhooks.id) as ??`,
        ['deliveryCount'],
      ),
    )
    .orderBy(newestFirst());
  // The select above adds `deliveryCount`.
  return webhooks as (Webhook & { deliveryCount: number })[];
}

export async function findWebhook(trx: TenantTransaction, tenantId: string, id: string): Promise<Webhook> {
  const webhook = await Webhook.query(trx).findOne({ tenantId, id });
  if (!webhook) throw webhookNotFound();
  return webhook;
}

/** Finds a webhook and locks it until the transaction ends. */
export async function lockWebhook(trx: TenantTransaction, tenantId: string, id: string): Promise<Webhook> {
  const webhook = await Webhook.query(trx).findOne({ tenantId, id }).forUpdate();
  if (!webhook) throw webhookNotFound();
  return webhook;
}

/** One page of a webhook's deliveries, newest first. */
export const listDeliveries = (trx: TenantTransaction, { tenantId, id }: Webhook, query: PageQuery) =>
  readPage(WebhookDelivery.query(trx).where({ tenantId, webhookId: id }), NEWEST, query);

/** Finds a delivery of a webhook with its attempts, oldest first; throws a 404. */
export async function findDelivery(trx: TenantTransaction, { tenantId, id: webhookId }: Webhook, id: string) {
  const delivery = await WebhookDelivery.query(trx).findOne({ tenantId, webhookId, id });
  if (!delivery) throw deliveryNotFound();
  const attempts = await WebhookAttempt.query(trx).where({ tenantId, deliveryId: id }).orderBy('number');
  return { delivery, attempts };
}
