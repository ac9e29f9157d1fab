import { Webhook } from '../../db/models/webhook.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { webhookNotFound } from '../../domain/errors.ts';
import type { ListDeliveries } from './schema.ts';

const newestFirst = [
  { column: 'createdAt', order: 'desc' },
  { column: 'id', order: 'desc' },
] as const;

/** The tenant's webhooks, newest first, each with how many deliveries it has. */
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
    .orderBy([...newestFirst]);
  // The select above adds that member.
  return webhooks as (Webhook & { deliveryCount: number })[];
}

export async function findWebhook(trx: TenantTransaction, tenantId: string, id: string): Promise<Webhook> {
  const webhook = await Webhook.query(trx).findOne({ tenantId, id });
  if (!webhook) throw webhookNotFound();
  return webhook;
}

/** A webhook that is about to change, locked until the transaction ends. */
export async function lockWebhook(trx: TenantTransaction, tenantId: string, id: string): Promise<Webhook> {
  const webhook = await Webhook.query(trx).findOne({ tenantId, id }).forUpdate();
  if (!webhook) throw webhookNotFound();
  return webhook;
}

/** One page of a webhook's deliveries, newest first. */
export async function listDeliveries(
  trx: TenantTransaction,
  { tenantId, id }: Webhook,
  { page, limit }: ListDeliveries,
) {
  const { results, total } = await WebhookDelivery.query(trx)
    .where({ tenantId, webhookId: id })
    .orderBy([...newestFirst])
    .page(page - 1, limit);
  return { deliveries: results, total };
}
