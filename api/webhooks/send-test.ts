import { signingSecrets } from '../../adapters/outbound-http/signing.ts';
import { signatureHeaders } from '../../adapters/outbound-http/signing.ts';
import type { OutboundAnswer } from '../../adapters/outbound-http/client.ts';
import { newId } from '../../db/ids.ts';
import { WebhookAttempt } from '../../db/models/webhook-attempt.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { unreachable } from '../../domain/errors.ts';
import { eventBody } from '../../domain/events.ts';
import { isSuccess } from '../../domain/http-delivery.ts';
import type { Deps } from '../deps.ts';
import { findWebhook, lockWebhook } from './queries.ts';

const EVENT = 'webhook.test';
/** Time limit of the whole test. */
const DEADLINE_MS = 5_000;

/**
 * Calls the webhook's address now, signed like a delivery, and records the result. Synchronous, so it works without
 * Temporal. Throws a 502 if there was no response; an error status is a response.
 */
export async function testWebhook(
  { withTenant, secrets, outbound }: Pick<Deps, 'withTenant' | 'secrets' | 'outbound'>,
  { tenantId }: Caller,
  { webhookId, signal }: { readonly webhookId: string; readonly signal: AbortSignal },
): Promise<{ success: boolean; statusCode: number }> {
  const webhook = await withTenant(tenantId, (trx) => findWebhook(trx, tenantId, webhookId));
  const at = new Date();
  const body = eventBody(EVENT, at, { message: 'Este es un envío de prueba' });
  const delivery = { id: newId(), eventId: newId() };
  const response = await outbound.post(
    {
      url: webhook.url,
      body,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'X-Service-Event': EVENT,
        'X-Service-Delivery': delivery.id,
        'X-Service-Attempt': '1',
        ...signatureHeaders({ secrets: signingSecrets(secrets, webhook), eventId: delivery.eventId, at, body }),
      },
      deadlineMs: DEADLINE_MS,
    },
    { key: tenantId, signal },
  );
  await withTenant(tenantId, (trx) => record(trx, { tenantId, webhookId, at, body, ...delivery }, response));
  const { statusCode } = response;
  if (statusCode === 0) throw unreachable();
  return { success: isSuccess(statusCode), statusCode };
}

/** Records a completed delivery with one attempt. Throws a 404 if the webhook was deleted in the meantime. */
async function record(
  trx: TenantTransaction,
  test: { tenantId: string; webhookId: string; id: string; eventId: string; at: Date; body: string },
  { statusCode, errorCode, body: responseBody, durationMs }: OutboundAnswer,
): Promise<void> {
  const { tenantId, id } = test;
  await lockWebhook(trx, tenantId, test.webhookId);
  const now = new Date();
  const delivered = isSuccess(statusCode);
  await WebhookDelivery.query(trx).insert({
    id,
    tenantId,
    webhookId: test.webhookId,
    event: EVENT,
    eventId: test.eventId,
    payload: test.body,
    status: delivered ? 'DELIVERED' : 'EXHAUSTED',
    statusCode,
    responseBody,
    errorCode,
    deliveredAt: delivered ? now : null,
    completedAt: now,
    createdAt: test.at,
  });
  await WebhookAttempt.query(trx).insert({
    id: newId(),
    tenantId,
    deliveryId: id,
    number: 1,
    claimToken: newId(),
    statusCode,
    responseBody,
    errorCode,
    durationMs,
    startedAt: test.at,
    finishedAt: now,
  });
}
