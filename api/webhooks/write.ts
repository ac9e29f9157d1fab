import { newWebhookSecret } from '../../adapters/outbound-http/signing.ts';
import { newId } from '../../db/ids.ts';
import { Webhook } from '../../db/models/webhook.ts';
import { assertBelowLimit } from '../../db/writes/assert-below-limit.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { changesOf } from '../../domain/diff.ts';
import { HEALTHY } from '../../domain/endpoint-breaker.ts';
import type { SubscribableEvent } from '../../domain/event-types.ts';
import type { Deps } from '../deps.ts';
import { lockWebhook } from './queries.ts';
import type { UpdateWebhook } from './schema.ts';

/** For this long after a rotation deliveries are signed with the previous secret too. */
const PREVIOUS_SECRET_VALIDITY_MS = 24 * 60 * 60 * 1000;

/**
 * Creates a webhook with its audit entry. Returns its secret, which is not shown again. Throws a 409 beyond the limit.
 */
export async function createWebhook(
  { secrets }: Pick<Deps, 'secrets'>,
  trx: TenantTransaction,
  caller: Caller,
  { url, events }: { url: string; events: readonly SubscribableEvent[] },
): Promise<{ webhook: Webhook; secret: string }> {
  await assertBelowLimit(trx, 'webhooks');
  const { tenantId } = caller;
  const id = newId();
  const secret = newWebhookSecret();
  const webhook = await Webhook.query(trx).insertAndFetch({
    id,
    tenantId,
    url,
    events: unique(events),
    ...sealed(secrets, id, secret),
  });
  await recordAudit(trx, memberActor(caller), {
    action: 'create',
    entity: 'Webhook',
    entityId: id,
    metadata: { url, events: webhook.events },
  });
  return { webhook, secret };
}

/** Changes the given members. */
export async function updateWebhook(
  trx: TenantTransaction,
  caller: Caller,
  id: string,
  body: UpdateWebhook,
): Promise<Webhook> {
  const { tenantId } = caller;
  const webhook = await lockWebhook(trx, tenantId, id);
  const events = body.events && unique(body.events);
  const sameEvents = events?.join() === webhook.events.join();
  const { url, isActive } = webhook;
  const changes = changesOf(
    { url, events: webhook.events, isActive },
    { url: body.url, isActive: body.isActive, events: sameEvents ? undefined : events },
  );
  if (!changes) return webhook;
  // A reactivation or another address resets the failures, which were those of the previous endpoint.
  const fresh = changes.after.isActive || changes.after.url !== undefined ? HEALTHY : {};
  await Webhook.query(trx)
    .findOne({ tenantId, id })
    .patch({ ...changes.after, ...fresh, updatedAt: new Date() });
  await recordAudit(trx, memberActor(caller), { action: 'update', entity: 'Webhook', entityId: id, metadata: changes });
  return lockWebhook(trx, tenantId, id);
}

/** Deletes a webhook with its deliveries, by foreign keys, and cancels waiting deliveries. */
export async function deleteWebhook(trx: TenantTransaction, caller: Caller, id: string): Promise<void> {
  const { tenantId, requestId } = caller;
  const { url, events } = await lockWebhook(trx, tenantId, id);
  const waiting = await WebhookDelivery.query(trx).findOne({ tenantId, webhookId: id, status: 'PENDING' }).limit(1);
  if (waiting) await recordEvent(trx, { type: 'webhook.deleted', data: { webhookId: id }, requestId });
  await Webhook.query(trx).delete().where({ tenantId, id });
  await recordAudit(trx, memberActor(caller), {
    action: 'delete',
    entity: 'Webhook',
    entityId: id,
    metadata: { url, events },
  });
}

/** Replaces the secret. The previous one stays valid for a day; an older one becomes invalid immediately. */
export async function rotateSecret(
  { secrets }: Pick<Deps, 'secrets'>,
  trx: TenantTransaction,
  caller: Caller,
  id: string,
): Promise<{ id: string; secret: string; previousValidUntil: string }> {
  const { tenantId } = caller;
  const { secretSealed } = await lockWebhook(trx, tenantId, id);
  const secret = newWebhookSecret();
  const previousValidUntil = new Date(Date.now() + PREVIOUS_SECRET_VALIDITY_MS);
  await Webhook.query(trx)
    .findOne({ tenantId, id })
    .patch({
      ...sealed(secrets, id, secret),
      previousSecretSealed: secretSealed,
      previousValidUntil,
      updatedAt: new Date(),
    });
  await recordAudit(trx, memberActor(caller), {
    action: 'rotate',
    entity: 'Webhook',
    entityId: id,
    metadata: { member: 'secret', previousValidUntil: previousValidUntil.toISOString() },
  });
  return { id, secret, previousValidUntil: previousValidUntil.toISOString() };
}

const sealed = (secrets: Deps['secrets'], id: string, secret: string) => ({
  secretSealed: secrets.seal(secret, { purpose: 'webhook_secret', rowId: id }),
  secretLast4: secret.slice(-4),
});

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
