import { type Static, Type } from 'typebox';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import {
  closed,
  decimal,
  decimalText,
  id,
  limit,
  line,
  nullable,
  oneOf,
  optionalLine,
  page,
  text,
  timestamp,
} from '../schema.ts';

/** One line of a quote as it comes in (spec, section 2: Quote item). */
export const QuoteItemInput = closed({
  productId: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 64 })),
  productName: line(2000, { examples: ['Silla ejecutiva'] }),
  model: optionalLine(200, { examples: ['SE-200'] }),
  unitPrice: decimal(6, { minimum: 0, exclusiveMaximum: 1_000_000_000, examples: [1850.5] }),
  quantity: Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [4] }),
  discountPct: decimal(4, { minimum: 0, maximum: 100, default: 0, examples: [10] }),
});

export const CreateQuote = closed({
  clientId: Type.String({ minLength: 1, maxLength: 64 }),
  items: Type.Array(QuoteItemInput, { minItems: 1, maxItems: 1000 }),
  notes: Type.Optional(text(300, { description: 'Sin él, las notas del negocio; "" las deja vacías.' })),
  shippingCost: decimal(2, { minimum: 0, maximum: 9_999_999_999.99, default: 0 }),
  currency: Type.Optional(
    Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217. Otra que la del negocio: PRO.' }),
  ),
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'En el futuro, a lo más en 365 días. Sin él, la vigencia del negocio.',
    }),
  ),
});
export type CreateQuote = Static<typeof CreateQuote>;

export const ListQuotes = closed({
  search: Type.Optional(Type.String({ maxLength: 200, description: 'número (12, COT-12), contacto o empresa' })),
  status: Type.Optional(oneOf(QUOTE_STATUSES)),
  page: page(),
  limit: limit(),
});
export type ListQuotes = Static<typeof ListQuotes>;

export const ChangeStatus = closed({ status: oneOf(QUOTE_STATUSES) });
export const QuoteParams = Type.Object({ id: Type.String({ maxLength: 64 }) });

const ClientOfQuote = Type.Object({
  id: id(),
  contactName: Type.String(),
  companyName: nullable(Type.String()),
  email: nullable(Type.String()),
  phone: nullable(Type.String()),
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
  user: Type.Object({ name: Type.String() }),
  _count: Type.Object({ items: Type.Integer() }),
});

/** Single reads and PATCH: money as decimal strings. */
export const QuoteBody = Type.Object({
  ...common,
  ...amounts(decimalText()),
  taxRate: decimalText(),
  items: Type.Array(item(decimalText())),
  client: ClientOfQuote,
  user: Type.Object({ name: Type.String(), email: Type.String() }),
});

/** Answers of a POST: money as JSON numbers (decisions, section 2). */
export const CreatedQuote = Type.Object({
  ...common,
  ...amounts(Type.Number()),
  taxRate: Type.Number(),
  publicToken: Type.String(),
  items: Type.Array(item(Type.Number())),
  client: ClientOfQuote,
});
