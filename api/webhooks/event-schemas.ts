import { type TSchema, Type } from 'typebox';
import type { SubscribableEvent } from '../../domain/event-types.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { addedToItem } from '../quotes/detail-schema.ts';
import { id, nullable, oneOf, timestamp } from '../schema.ts';

/** Schemas of webhook bodies, for the `webhooks` section of the OpenAPI document. */

const client = {
  id: id(),
  contactName: Type.String({ examples: ['Ana Torres'] }),
  companyName: nullable(Type.String({ examples: ['Ferretería La Palma'] })),
  email: nullable(Type.String({ examples: ['ana@example.com'] })),
};
const amount = () => Type.Number({ examples: [1160] });

/** The quote in the body of an event: its state when the event happened, amounts as numbers. */
export const QuoteOfEvent = Type.Object({
  id: id(),
  quoteNumber: Type.Integer({ minimum: 1 }),
  status: oneOf(QUOTE_STATUSES),
  total: amount(),
  subtotal: amount(),
  currency: Type.String({ examples: ['MXN'] }),
  notes: Type.String(),
  client: Type.Object(client),
  items: Type.Array(
    Type.Object({
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
  displayNumber: Type.String({ examples: ['COT-12'] }),
  reference: nullable(Type.String({ examples: ['OC-2041'] })),
  metadata: Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    examples: [{ pedido: 'P-77' }],
  }),
});

/** Most events have it; the document contains it once. */
const quote = Type.Unsafe<object>({ $ref: '#/components/schemas/QuoteOfEvent' });
const ofQuote = Type.Object({ quote });

/** `data` of each event. */
export const EVENT_DATA: Readonly<Record<SubscribableEvent, TSchema>> = {
  'quote.created': ofQuote,
  'quote.status_changed': Type.Object({ quote, previousStatus: oneOf(QUOTE_STATUSES) }),
  'quote.sent': ofQuote,
  'quote.viewed': ofQuote,
  'quote.accepted': ofQuote,
  'quote.rejected': ofQuote,
  'quote.changes_requested': Type.Object({
    quote,
    request: Type.Object({
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
  'client.created': Type.Object({ client: Type.Object({ ...client, phone: nullable(Type.String()) }) }),
  'product.created': Type.Object({
    product: Type.Object({
      id: id(),
      name: Type.String({ examples: ['Silla ejecutiva'] }),
      modelSku: nullable(Type.String({ examples: ['SE-200'] })),
      description: nullable(Type.String()),
      unitPrice: amount(),
      currency: Type.String({ examples: ['MXN'] }),
    }),
  }),
};
