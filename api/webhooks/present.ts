import type { Webhook } from '../../db/models/webhook.ts';
import type { WebhookAttempt } from '../../db/models/webhook-attempt.ts';
import type { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import { EVENTS, SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import type { ResponseBody } from '../schema.ts';
import type {
  CreatedWebhook,
  DeliveryBody,
  DeliveryWithAttempts,
  EventDescription,
  WebhookBody,
  WebhookSummary,
} from './schema.ts';

const fields = (webhook: Webhook, secret: string) => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  secret,
  isActive: webhook.isActive,
  tenantId: webhook.tenantId,
  createdAt: webhook.createdAt.toISOString(),
  updatedAt: webhook.updatedAt.toISOString(),
});

/** Shows only the last characters of the secret. */
export const webhookBody = (webhook: Webhook): ResponseBody<typeof WebhookBody> =>
  fields(webhook, `whsec_••••${webhook.secretLast4}`);

export const webhookSummary = (
  webhook: Webhook & { readonly deliveryCount: number },
): ResponseBody<typeof WebhookSummary> => ({
  ...webhookBody(webhook),
  _count: { deliveries: webhook.deliveryCount },
});

/** The response of POST, which shows the whole secret. */
export const createdWebhook = (webhook: Webhook, secret: string): ResponseBody<typeof CreatedWebhook> =>
  fields(webhook, secret);

export const deliveryBody = (delivery: WebhookDelivery): ResponseBody<typeof DeliveryBody> => ({
  id: delivery.id,
  webhookId: delivery.webhookId,
  event: delivery.event,
  // Written by `eventBody` when the event happened.
  payload: JSON.parse(delivery.payload) as DeliveryBody['payload'],
  status: delivery.status,
  statusCode: delivery.statusCode,
  responseBody: delivery.responseBody,
  errorCode: delivery.errorCode,
  deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
  createdAt: delivery.createdAt.toISOString(),
});

const attemptBody = (attempt: WebhookAttempt) => ({
  number: attempt.number,
  startedAt: attempt.startedAt.toISOString(),
  finishedAt: attempt.finishedAt?.toISOString() ?? null,
  durationMs: attempt.durationMs,
  statusCode: attempt.statusCode,
  responseBody: attempt.responseBody,
  errorCode: attempt.errorCode,
});

/** A delivery with all its attempts. */
export const deliveryWithAttempts = (
  delivery: WebhookDelivery,
  attempts: readonly WebhookAttempt[],
): ResponseBody<typeof DeliveryWithAttempts> => ({
  ...deliveryBody(delivery),
  attempts: attempts.map(attemptBody),
});

/** Every event type to which webhooks can subscribe, with a sample of its body. */
export const subscribableEvents = (at: Date): readonly ResponseBody<typeof EventDescription>[] =>
  SUBSCRIBABLE_EVENTS.map((event) => {
    const { description, sample } = EVENTS[event];
    return { event, description, sample: { event, timestamp: at.toISOString(), data: sample } };
  });
