import { type TSchema, Type } from 'typebox';
import { type SubscribableEvent, SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { addedToItem, Answer } from '../quotes/detail-schema.ts';
import { metadata, named, id, nullable, oneOf, timestamp } from '../schema.ts';

/** Schemas of webhook bodies, for the `webhooks` section of the OpenAPI document. */

const client = {
  id: id(),
  contactName: Type.String({ examples: ['Ana Torres'] }),
  companyName: nullable(Type.String({ examples: ['Ferretería La Palma'] })),
  email: nullable(Type.String({ examples: ['ana@example.com'] })),
};
const amount = () => Type.Number({ examples: [1160] });

/** The quote in the body of an event: its state when the event happened, amounts as numbers. */
const EventQuote = named('EventQuote', {
  id: id(),
  quoteNumber: Type.Integer({ minimum: 1 }),
  status: oneOf('QuoteStatus', QUOTE_STATUSES),
  total: amount(),
  subtotal: amount(),
  currency: Type.String({ examples: ['MXN'] }),
  notes: Type.String(),
  client: named('EventQuoteClient', client),
  items: Type.Array(
    named('EventQuoteItem', {
      productName: Type.String(),
      model: nullable(Type.String()),
      unitPrice: amount(),
      quantity: Type.Number({ examples: [4] }),
      discountPct: Type.Number({ examples: [10] }),
      ...addedToItem,
    }),
  ),
  tax: amount(),
  shippingCost: amount(),
  version: Type.Integer({ minimum: 1 }),
  expiresAt: timestamp(),
  answer: Answer,
  displayNumber: Type.String({ examples: ['COT-12'] }),
  reference: nullable(Type.String({ examples: ['OC-2041'] })),
  metadata: metadata(),
});

const ofQuote = named('QuoteEventData', { quote: EventQuote });

/** `data` of each event. */
const DATA = {
  'quote.created': ofQuote,
  'quote.status_changed': named('QuoteStatusChangedData', {
    quote: EventQuote,
    previousStatus: oneOf('QuoteStatus', QUOTE_STATUSES),
  }),
  'quote.sent': ofQuote,
  'quote.viewed': ofQuote,
  'quote.accepted': ofQuote,
  'quote.rejected': ofQuote,
  'quote.changes_requested': named('QuoteChangesRequestedData', {
    quote: EventQuote,
    request: named('EventChangeRequest', {
      id: id(),
      message: Type.String({ examples: ['¿Puede incluir la instalación?'] }),
      name: nullable(Type.String({ description: 'el que se escribió en la página', examples: ['Ana Torres'] })),
      email: nullable(
        Type.String({ description: 'la que se escribió; no está comprobada', examples: ['ana@example.com'] }),
      ),
      version: Type.Integer({ minimum: 1, description: 'la versión que se vio' }),
    }),
  }),
  'quote.version_created': ofQuote,
  'quote.expiring': ofQuote,
  'quote.expired': ofQuote,
  'client.created': named('ClientCreatedData', {
    client: named('EventClient', { ...client, phone: nullable(Type.String()) }),
  }),
  'product.created': named('ProductCreatedData', {
    product: named('EventProduct', {
      id: id(),
      name: Type.String({ examples: ['Silla ejecutiva'] }),
      modelSku: nullable(Type.String({ examples: ['SE-200'] })),
      description: nullable(Type.String()),
      unitPrice: amount(),
      currency: Type.String({ examples: ['MXN'] }),
    }),
  }),
} satisfies Readonly<Record<SubscribableEvent, TSchema>>;

/** quote.status_changed: QuoteStatusChangedEvent */
const nameOf = (event: string): string =>
  `${event.replace(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase())}Event`;

const bodyOf = (event: string, data: TSchema) =>
  named(nameOf(event), { event: Type.Literal(event), timestamp: timestamp(), data });

/** The body of each event to which webhooks can subscribe. */
export const EVENT_BODIES = SUBSCRIBABLE_EVENTS.map((event) => ({ event, schema: bodyOf(event, DATA[event]) }));

/** The body of `POST /api/webhooks/:id/test`. */
export const TestEventBody = bodyOf('webhook.test', named('WebhookTestData', { message: Type.String() }));

/** Any body that a webhook receives. */
export const WebhookEvent = Type.Unsafe<{ readonly event: string; readonly timestamp: string; readonly data: object }>({
  title: 'WebhookEvent',
  type: 'object',
  discriminator: { propertyName: 'event' },
  oneOf: [...EVENT_BODIES.map(({ schema }) => schema), TestEventBody],
});
