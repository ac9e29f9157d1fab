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
import type { SubscribableEvent } from '../../domain/events.ts';
import type { Deps } from '../deps.ts';
import { lockWebhook } from './queries.ts';
import type { UpdateWebhook } from './schema.ts';

/** For how long after a rotation the old secret signs too (decisions, section 6). */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** A new webhook with its audit entry, and its secret, which is shown now or never. Throws the 409 beyond the limit. */
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

/** Changes what is given. */
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
  // Whoever switches it on again, or gives another address, begins anew: what failed was the endpoint before.
  const fresh = changes.after.isActive || changes.after.url !== undefined ? HEALTHY : {};
  await Webhook.query(trx)
    .findOne({ tenantId, id })
    .patch({ ...changes.after, ...fresh, updatedAt: new Date() });
  await recordAudit(trx, memberActor(caller), { action: 'update', entity: 'Webhook', entityId: id, metadata: changes });
  return lockWebhook(trx, tenantId, id);
}

/** Removes a webhook; its history goes with it by the foreign keys, and runs that wait to call it are ended. */
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

/** A new secret; for a day the one before it signs too. One before that is forgotten at once. */
export async function rotateSecret(
  { secrets }: Pick<Deps, 'secrets'>,
  trx: TenantTransaction,
  caller: Caller,
  id: string,
): Promise<{ id: string; secret: string; previousValidUntil: string }> {
  const { tenantId } = caller;
  const { secretSealed } = await lockWebhook(trx, tenantId, id);
  const secret = newWebhookSecret();
  const previousValidUntil = new Date(Date.now() + OVERLAP_MS);
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
