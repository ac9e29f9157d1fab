import { type Static, Type } from 'typebox';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { attachmentIds, attachments } from '../attachments/schema.ts';
import {
  closed,
  currency,
  decimal,
  decimalText,
  id,
  nullable,
  oneOf,
  optionalLine,
  optionalText,
  text,
  timestamp,
} from '../schema.ts';

/** Alternative to `expiresAt`. */
const validUntil = () =>
  Type.Optional(
    Type.String({
      format: 'date',
      description: 'Vale hasta el final de este día en la zona horaria del negocio. No junto con expiresAt.',
    }),
  );

/** A line of a quote in request bodies. */
export const QuoteItemInput = closed({
  productId: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 64 })),
  productName: text(2000, { examples: ['Silla ejecutiva'] }),
  model: optionalLine(200, { examples: ['SE-200'] }),
  unitPrice: decimal(6, { minimum: 0, exclusiveMaximum: 1_000_000_000, examples: [1850.5] }),
  quantity: Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [4] }),
  discountPct: decimal(4, { minimum: 0, maximum: 100, default: 0, examples: [10] }),
});

const newQuote = {
  clientId: Type.String({ minLength: 1, maxLength: 64 }),
  items: Type.Array(QuoteItemInput, { minItems: 1, maxItems: 1000 }),
  notes: optionalText(300, { description: 'Sin él, las notas del negocio; "" o nulo las deja vacías.' }),
  shippingCost: decimal(2, { minimum: 0, maximum: 9_999_999_999.99, default: 0 }),
  currency: Type.Optional(currency({ description: 'ISO 4217. Otra que la del negocio: PRO.' })),
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'En el futuro, a lo más al final del día 365. Sin él ni validUntil, la vigencia del negocio.',
    }),
  ),
  validUntil: validUntil(),
};
export const CreateQuote = closed(newQuote);
export type CreateQuote = Static<typeof CreateQuote>;

export const ReviseQuote = closed({ ...newQuote, attachmentIds: attachmentIds() });
export type ReviseQuote = Static<typeof ReviseQuote>;

export const ChangeStatus = closed({ status: oneOf(QUOTE_STATUSES) });
export const ChangeQuote = closed({
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'En el futuro, a lo más al final del día 365. Uno de los dos es obligatorio.',
      examples: ['2027-01-15T18:00:00.000Z'],
    }),
  ),
  validUntil: validUntil(),
});
export const QuoteParams = Type.Object({ id: Type.String({ maxLength: 64 }) });

const ClientOfQuote = Type.Object({
  id: id(),
  contactName: Type.String(),
  companyName: nullable(Type.String()),
  email: nullable(Type.String()),
  phone: nullable(Type.String()),
});
const LabelOfQuote = Type.Object({
  id: id(),
  name: Type.String({ examples: ['Urgente'] }),
  color: Type.String({ examples: ['#1d5fd1'] }),
});
const LinkedProduct = nullable(Type.Object({ id: id(), name: Type.String(), modelSku: nullable(Type.String()) }));

const common = {
  id: id(),
  quoteNumber: Type.Integer({ minimum: 1 }),
  status: oneOf(QUOTE_STATUSES),
  version: Type.Integer({ minimum: 1 }),
  currency: Type.String(),
  notes: Type.String(),
  expiresAt: timestamp(),
  validUntil: Type.String({
    format: 'date',
    description: 'el día de expiresAt en la zona horaria del negocio',
    examples: ['2026-12-15'],
  }),
  isExpired: Type.Boolean(),
  viewCount: Type.Integer(),
  createdAt: timestamp(),
};
const amounts = <T extends ReturnType<typeof decimalText> | ReturnType<typeof Type.Number>>(amount: T) => ({
  subtotal: amount,
  tax: amount,
  shippingCost: amount,
  total: amount,
});
const item = <T extends ReturnType<typeof decimalText> | ReturnType<typeof Type.Number>>(amount: T) =>
  Type.Object({
    id: id(),
    productId: nullable(id()),
    productName: Type.String(),
    model: nullable(Type.String()),
    unitPrice: amount,
    quantity: Type.Integer(),
    discountPct: amount,
    subtotal: amount,
    product: LinkedProduct,
  });

export const QuoteSummary = Type.Object({
  ...common,
  ...amounts(decimalText()),
  client: ClientOfQuote,
  user: Type.Object({ name: Type.String({ examples: ['Diana Ruiz'] }) }),
  labels: Type.Array(LabelOfQuote),
  _count: Type.Object({ items: Type.Integer() }),
});

/** Single reads and PATCH: money as decimal strings. */
export const QuoteBody = Type.Object({
  ...common,
  ...amounts(decimalText()),
  taxRate: decimalText(),
  items: Type.Array(item(decimalText())),
  attachments: attachments(),
  client: ClientOfQuote,
  user: Type.Object({
    name: Type.String({ examples: ['Diana Ruiz'] }),
    email: Type.String({ examples: ['diana@example.com'] }),
  }),
  labels: Type.Array(LabelOfQuote),
});

const inNumbers = {
  ...common,
  ...amounts(Type.Number({ examples: [1160] })),
  taxRate: Type.Number({ examples: [0.16] }),
  items: Type.Array(item(Type.Number({ examples: [1160] }))),
  attachments: attachments(),
  client: ClientOfQuote,
};

/** Responses of POST: money as JSON numbers. */
export const QuoteInNumbers = Type.Object(inNumbers);

/** The response of a POST that created a quote, with its public token. */
export const CreatedQuote = Type.Object({
  ...inNumbers,
  publicToken: Type.String({ examples: ['q3X0m2kPp5r9Yb7uWc1nZt8vLd4sJfHgAe6iKoMxQyR'] }),
});
