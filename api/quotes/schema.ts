import { Type } from 'typebox';
import { DEPOSIT_TYPES } from '../../domain/deposit.ts';
import { MAX_METADATA_KEYS } from '../../domain/metadata.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { attachments } from '../attachments/schema.ts';
import { MAX_TAXES_OF_LINE } from '../../domain/taxes.ts';
import {
  named,
  namedInput,
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
import {
  addedToItem,
  type AmountSchema,
  Answer,
  AnswerInList,
  detailsOf,
  internal,
  nameOf,
  signed,
} from './detail-schema.ts';
import { ClientOfQuote, LabelOfQuote, LinkedProduct, UserOfQuote } from './related-schema.ts';

/** Alternative to `expiresAt`. */
export const validUntil = () =>
  Type.Optional(
    Type.String({
      format: 'date',
      description: 'Vale hasta el final de este día en la zona horaria del negocio. No junto con expiresAt.',
    }),
  );

/** Codes of the tax table. */
export function taxCodes(maxItems: number, description: string) {
  return Type.Unsafe<readonly string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', maxLength: 20 },
    maxItems,
    description,
    examples: [['IVA16']],
  });
}

/** A line of a quote in request bodies. */
export const QuoteItemInput = namedInput('QuoteItemInput', {
  productId: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 64 })),
  productName: text(2000, { examples: ['Silla ejecutiva'] }),
  model: optionalLine(200, { examples: ['SE-200'] }),
  unitPrice: decimal(6, { minimum: 0, exclusiveMaximum: 1_000_000_000, examples: [1850.5] }),
  description: optionalText(2000, { examples: ['Respaldo de malla, altura ajustable'] }),
  section: optionalLine(100, {
    description: 'Las partidas seguidas de una sección llevan su encabezado y su subtotal.',
    examples: ['Mobiliario'],
  }),
  // Before the quantity, whose rule depends on it.
  unit: optionalLine(20, { description: 'Con unidad la cantidad admite decimales.', examples: ['m²'] }),
  quantity: Type.Unsafe<number>({
    lineQuantity: 1_000_000,
    description: 'Con unidad mayor que 0, de hasta 4 decimales; sin ella un entero desde 1.',
    examples: [4],
  }),
  discountPct: decimal(4, { minimum: 0, maximum: 100, default: 0, examples: [10] }),
  taxes: Type.Optional(
    taxCodes(MAX_TAXES_OF_LINE, 'Claves de `listTaxes`; [] sin impuestos; ausente o nulo, el del negocio.'),
  ),
  optional: Type.Optional(Type.Boolean({ description: 'Solo cuenta si está elegida. No junto con choice.' })),
  choice: optionalLine(60, {
    description: 'Nombre de un grupo de alternativas, del que cuenta la elegida o, si no hay, la primera.',
    examples: ['Acabado'],
  }),
  selected: Type.Optional(Type.Boolean({ description: 'Elige una partida opcional o una alternativa.' })),
});

const metadata = () =>
  Type.Optional(
    Type.Unsafe<Readonly<Record<string, string>> | null>({
      title: 'MetadataInput',
      type: ['object', 'null'],
      maxProperties: MAX_METADATA_KEYS,
      additionalProperties: { type: 'string', maxLength: 500 },
      description:
        'Datos propios de quien llama, que el cliente nunca ve: nombres de 1 a 40 de A-Z a-z 0-9 _ . -, 8 KiB en total.',
    }),
  );
const deposit = () =>
  Type.Optional(
    nullable(
      namedInput(
        'DepositInput',
        {
          type: oneOf('DepositType', DEPOSIT_TYPES),
          value: decimal(4, { minimum: 0, maximum: 9_999_999_999.99, examples: [50] }),
          note: optionalLine(200, { examples: ['Al firmar'] }),
        },
        { description: 'Anticipo: un porcentaje del total de 0 a 100, o un importe hasta el total. No se cobra.' },
      ),
    ),
  );

/** What a quote may have besides its lines, in request bodies; templates have some of it. */
export const documentInput = {
  discountPct: Type.Optional(
    decimal(4, { minimum: 0, maximum: 100, description: 'Del documento; no sobre el envío.', examples: [5] }),
  ),
  shippingTaxes: Type.Optional(taxCodes(MAX_TAXES_OF_LINE, 'Claves para el envío; ausente o nulo, sin impuestos.')),
  title: optionalLine(120, { examples: ['Remodelación de oficinas'] }),
  terms: optionalText(5000, {
    description: 'Condiciones. Sin ellas, las del negocio; "" o nulo las deja vacías.',
    examples: ['50 % de anticipo, resto contra entrega.'],
  }),
  internalNotes: optionalText(2000, { description: 'El cliente nunca las ve.', examples: ['Margen del 30 %'] }),
  deposit: deposit(),
};
/** For requests with lines that may link to products. */
export const copyFromProducts = () =>
  Type.Optional(
    Type.Boolean({
      description:
        'true: una partida con `productId` toma `unit`, `taxes` y `description` del producto si no los trae. La cantidad ' +
        'admite decimales solo si la partida misma trae la unidad.',
    }),
  );

/** What only a quote may have. */
export const ownInput = {
  reference: optionalLine(60, { description: 'El número del cliente.', examples: ['OC-2041'] }),
  metadata: metadata(),
};

export const ChangeStatus = namedInput('QuoteStatusInput', { status: oneOf('QuoteStatus', QUOTE_STATUSES) });
export const ChangeQuote = namedInput('QuoteUpdate', {
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

const quoteMembers = <T extends AmountSchema>(amount: T) => ({
  id: id(),
  quoteNumber: Type.Integer({ minimum: 1 }),
  displayNumber: Type.String({ description: 'el número como lo ve la gente', examples: ['COT-12'] }),
  title: nullable(Type.String({ examples: ['Remodelación de oficinas'] })),
  reference: nullable(Type.String({ examples: ['OC-2041'] })),
  status: oneOf('QuoteStatus', QUOTE_STATUSES),
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
  subtotal: amount,
  discount: amount,
  tax: signed(amount),
  shippingCost: amount,
  total: amount,
});
const item = <T extends AmountSchema>(amount: T) =>
  named(nameOf('QuoteItem', amount), {
    id: id(),
    productId: nullable(id()),
    productName: Type.String(),
    model: nullable(Type.String()),
    unitPrice: amount,
    quantity: Type.Number({ examples: [4] }),
    discountPct: amount,
    subtotal: amount,
    product: LinkedProduct,
    ...addedToItem,
  });

export const QuoteSummary = named('QuoteSummary', {
  ...quoteMembers(decimalText()),
  answer: AnswerInList,
  client: ClientOfQuote,
  user: named('UserName', { name: Type.String({ examples: ['Diana Ruiz'] }) }),
  labels: Type.Array(LabelOfQuote),
  _count: named('QuoteCount', { items: Type.Integer() }),
  updatedAt: Type.Optional(timestamp({ description: 'solo con updatedSince' })),
});

/** Single reads and PATCH: money as decimal strings. */
export const QuoteBody = named('Quote', {
  ...quoteMembers(decimalText()),
  taxRate: decimalText(),
  ...detailsOf(decimalText()),
  ...internal,
  answer: Answer,
  items: Type.Array(item(decimalText())),
  attachments: attachments(),
  client: ClientOfQuote,
  user: UserOfQuote,
  labels: Type.Array(LabelOfQuote),
});

const withNumericAmounts = {
  ...quoteMembers(Type.Number({ examples: [1160] })),
  taxRate: Type.Number({ examples: [0.16] }),
  ...detailsOf(Type.Number({ examples: [1160] })),
  ...internal,
  answer: Answer,
  items: Type.Array(item(Type.Number({ examples: [1160] }))),
  attachments: attachments(),
  client: ClientOfQuote,
};

/** Responses of POST: money as JSON numbers. */
export const QuoteWithNumericAmounts = named('NumericQuote', withNumericAmounts);

/** The response of a POST that created a quote, with its public token. */
export const CreatedQuote = named('CreatedQuote', {
  ...withNumericAmounts,
  publicToken: Type.String({ examples: ['q3X0m2kPp5r9Yb7uWc1nZt8vLd4sJfHgAe6iKoMxQyR'] }),
});
