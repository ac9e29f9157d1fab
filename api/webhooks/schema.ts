import { type Static, Type } from 'typebox';
import { SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import { DELIVERY_STATUSES, NO_ANSWER } from '../../domain/http-delivery.ts';
import {
  cursor,
  cursorPageOf,
  dropsUnknown,
  id,
  jsonObject,
  limit,
  named,
  namedInput,
  nullable,
  oneOf,
  page,
  timestamp,
} from '../schema.ts';
import { WebhookEvent } from './event-schemas.ts';

const event = () => oneOf('EventType', SUBSCRIBABLE_EVENTS, { examples: ['quote.created'] });
/** `target.ts` checks whether it may be called, because that needs DNS. */
export const targetUrl = () =>
  Type.String({
    clean: 'line',
    minLength: 1,
    maxLength: 2048,
    format: 'web-address',
    description: 'http o https, sin usuario ni contraseña, hacia una dirección pública',
    examples: ['https://example.com/avisos'],
  });
const events = () => Type.Array(event(), { minItems: 1, maxItems: 50, examples: [['quote.created', 'quote.sent']] });

export const CreateWebhook = namedInput('WebhookInput', { url: targetUrl(), events: events() });
export type CreateWebhook = Static<typeof CreateWebhook>;

/** An event type to which webhooks can subscribe. */
export const EventDescription = named('EventDescription', {
  event: event(),
  description: Type.String({ description: 'cuándo ocurre', examples: ['Se agregó un cliente.'] }),
  // A made-up body.
  sample: WebhookEvent,
});

export const UpdateWebhook = namedInput('WebhookUpdate', {
  url: Type.Optional(targetUrl()),
  events: Type.Optional(events()),
  isActive: Type.Optional(Type.Boolean({ description: 'false deja de enviar; true vuelve a enviar' })),
});
export type UpdateWebhook = Static<typeof UpdateWebhook>;

export const DeliveryParams = Type.Object({
  id: Type.String({ maxLength: 64 }),
  deliveryId: Type.String({ maxLength: 64 }),
});
export const ListDeliveries = dropsUnknown({ cursor: cursor(), page: page(), limit: limit() });

const webhook = (secret: string, description: string) => ({
  id: id(),
  url: Type.String({ examples: ['https://example.com/avisos'] }),
  events: Type.Array(event()),
  secret: Type.String({ description, examples: [secret] }),
  isActive: Type.Boolean(),
  tenantId: id(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
const EXAMPLE_SECRET = 'whsec_uFOxqTVY0mUMJZzVqVZbMnLuCB3FQ7mTv4q5vFzQhPo=';

export const WebhookBody = named('Webhook', webhook('whsec_••••hPo=', 'solo sus últimos caracteres'));
export const WebhookSummary = named('WebhookSummary', {
  ...webhook('whsec_••••hPo=', 'solo sus últimos caracteres'),
  _count: named('WebhookCount', { deliveries: Type.Integer({ examples: [12] }) }),
});
export const CreatedWebhook = named('CreatedWebhook', webhook(EXAMPLE_SECRET, 'entero: no se vuelve a mostrar'));

export const RotatedSecret = named('WebhookSecret', {
  id: id(),
  secret: Type.String({ description: 'entero: no se vuelve a mostrar', examples: [EXAMPLE_SECRET] }),
  previousValidUntil: timestamp(),
});

export const TestResult = named('WebhookTestResult', {
  success: Type.Boolean({ description: 'si el endpoint contestó 2xx' }),
  statusCode: Type.Integer({ examples: [200] }),
});

const statusCode = (description: string) => nullable(Type.Integer({ description, examples: [200] }));
const responseBody = () => nullable(Type.String({ description: 'sus primeros 4 KiB', examples: ['ok'] }));
const errorCode = () => nullable(oneOf('DeliveryError', NO_ANSWER, { description: 'por qué no hubo respuesta' }));

const delivery = {
  id: id(),
  webhookId: id(),
  event: Type.String({ examples: ['quote.created'] }),
  payload: named(
    'DeliveryPayload',
    {
      event: Type.String({ examples: ['quote.created'] }),
      timestamp: timestamp(),
      data: jsonObject({ examples: [{ client: { contactName: 'Ana Torres' } }] }),
    },
    { description: 'lo enviado; con `data` vacío cuando ya no se conserva' },
  ),
  status: oneOf('DeliveryStatus', DELIVERY_STATUSES, { description: 'PENDING mientras haya intentos por delante' }),
  statusCode: statusCode('del último intento; 0 = sin respuesta, null = aún sin intentos'),
  responseBody: responseBody(),
  errorCode: errorCode(),
  deliveredAt: nullable(timestamp()),
  createdAt: timestamp(),
};
export const DeliveryBody = named('Delivery', delivery);
export type DeliveryBody = Static<typeof DeliveryBody>;
export const DeliveryPage = cursorPageOf('DeliveryPage', DeliveryBody);

const AttemptBody = named('DeliveryAttempt', {
  number: Type.Integer({ minimum: 1, description: 'como en `X-Service-Attempt`', examples: [1] }),
  startedAt: timestamp(),
  finishedAt: nullable(timestamp()),
  durationMs: nullable(Type.Integer({ minimum: 0, examples: [120] })),
  statusCode: statusCode('0 = sin respuesta, null = aún en curso o interrumpido'),
  responseBody: responseBody(),
  errorCode: errorCode(),
});
export const DeliveryWithAttempts = named('DeliveryWithAttempts', {
  ...delivery,
  attempts: Type.Array(AttemptBody, { description: 'todos, del primero al último' }),
});
