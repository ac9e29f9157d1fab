import { type Static, Type } from 'typebox';
import { SUBSCRIBABLE_EVENTS } from '../../domain/events.ts';
import { DELIVERY_STATUSES, NO_ANSWER } from '../../domain/outbound.ts';
import { closed, id, limit, nullable, oneOf, page, pageOf, timestamp } from '../schema.ts';

const event = () => oneOf(SUBSCRIBABLE_EVENTS, { examples: ['quote.created'] });
/** Whether it may be called is checked beside the schema: names must be resolved for it. */
export const targetUrl = () =>
  Type.String({
    trim: true,
    minLength: 1,
    maxLength: 2048,
    format: 'web-address',
    description: 'http o https, sin usuario ni contraseña, hacia una dirección pública',
    examples: ['https://example.com/avisos'],
  });
const events = () => Type.Array(event(), { minItems: 1, maxItems: 50, examples: [['quote.created', 'quote.sent']] });

export const CreateWebhook = closed({ url: targetUrl(), events: events() });
export type CreateWebhook = Static<typeof CreateWebhook>;

export const UpdateWebhook = closed({
  url: Type.Optional(targetUrl()),
  events: Type.Optional(events()),
  isActive: Type.Optional(Type.Boolean({ description: 'false deja de enviar; true vuelve a enviar' })),
});
export type UpdateWebhook = Static<typeof UpdateWebhook>;

export const WebhookParams = Type.Object({ id: Type.String({ maxLength: 64 }) });
export const DeliveryParams = Type.Object({
  id: Type.String({ maxLength: 64 }),
  deliveryId: Type.String({ maxLength: 64 }),
});
export const ListDeliveries = closed({ page: page(), limit: limit() });
export type ListDeliveries = Static<typeof ListDeliveries>;

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
const WHOLE = 'whsec_uFOxqTVY0mUMJZzVqVZbMnLuCB3FQ7mTv4q5vFzQhPo=';

export const WebhookBody = Type.Object(webhook('whsec_••••hPo=', 'solo sus últimos caracteres'));
export const WebhookSummary = Type.Object({
  ...webhook('whsec_••••hPo=', 'solo sus últimos caracteres'),
  _count: Type.Object({ deliveries: Type.Integer({ examples: [12] }) }),
});
export const CreatedWebhook = Type.Object(webhook(WHOLE, 'entero: no se vuelve a mostrar'));

export const RotatedSecret = Type.Object({
  id: id(),
  secret: Type.String({ description: 'entero: no se vuelve a mostrar', examples: [WHOLE] }),
  previousValidUntil: timestamp(),
});

export const TestResult = Type.Object({
  success: Type.Boolean({ description: 'si el endpoint contestó 2xx' }),
  statusCode: Type.Integer({ examples: [200] }),
});

export const DeliveryBody = Type.Object({
  id: id(),
  webhookId: id(),
  event: Type.String({ examples: ['quote.created'] }),
  payload: Type.Object(
    {
      event: Type.String({ examples: ['quote.created'] }),
      timestamp: timestamp(),
      data: Type.Unsafe<object>({ type: 'object', examples: [{ client: { contactName: 'Ana Torres' } }] }),
    },
    { description: 'lo enviado; con `data` vacío cuando ya no se conserva' },
  ),
  status: oneOf(DELIVERY_STATUSES, { description: 'PENDING mientras haya intentos por delante' }),
  statusCode: nullable(
    Type.Integer({ description: 'del último intento; 0 = sin respuesta, null = aún sin intentos', examples: [200] }),
  ),
  responseBody: nullable(Type.String({ description: 'sus primeros 4 KiB', examples: ['ok'] })),
  errorCode: nullable(oneOf(NO_ANSWER, { description: 'por qué no hubo respuesta' })),
  deliveredAt: nullable(timestamp()),
  createdAt: timestamp(),
});
export const DeliveryPage = pageOf(DeliveryBody);
