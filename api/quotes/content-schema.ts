import { type Static, Type } from 'typebox';
import { MAX_TAXES_OF_LINE } from '../../domain/taxes.ts';
import { attachmentIds } from '../attachments/schema.ts';
import { currency, decimal, namedInput, optionalLine, optionalText } from '../schema.ts';
import { copyFromProducts, documentInput, ownInput, QuoteItemInput, taxCodes, validUntil } from './schema.ts';

export const newQuote = {
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
  copyFromProducts: copyFromProducts(),
  ...documentInput,
  ...ownInput,
};
export const CreateQuote = namedInput('QuoteInput', newQuote);
export type CreateQuote = Static<typeof CreateQuote>;

/** Absent members keep their values, except the lines, which are required, and `shippingCost`. */
export const ReviseQuote = namedInput(
  'QuoteRevisionInput',
  {
    // What is below says what an absent member means for a revision.
    ...newQuote,
    clientId: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'El cliente de la cotización, u otro, activo: el enlace público cambia.',
    }),
    items: Type.Array(QuoteItemInput, { minItems: 1, maxItems: 1000, description: 'Reemplazan a las anteriores.' }),
    notes: optionalText(300, { description: 'Sin él, las que tiene; "" o nulo las deja vacías.' }),
    shippingCost: decimal(2, {
      minimum: 0,
      maximum: 9_999_999_999.99,
      default: 0,
      description: 'Sin él, 0: la revisión no conserva el envío anterior.',
    }),
    currency: Type.Optional(
      currency({ description: 'ISO 4217. Sin ella, la que tiene. Otra que la del negocio: PRO.' }),
    ),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'En el futuro, a lo más al final del día 365. Sin él ni validUntil, la vigencia que tiene.',
      }),
    ),
    shippingTaxes: Type.Optional(
      taxCodes(MAX_TAXES_OF_LINE, 'Claves para el envío. Sin él, las que tiene; nulo o [], sin impuestos.'),
    ),
    discountPct: Type.Optional(
      decimal(4, {
        minimum: 0,
        maximum: 100,
        description: 'Del documento; no sobre el envío. Sin él, el que tiene.',
        examples: [5],
      }),
    ),
    title: optionalLine(120, {
      description: 'Sin él, el que tiene; "" o nulo lo quita.',
      examples: ['Remodelación de oficinas'],
    }),
    reference: optionalLine(60, {
      description: 'El número del cliente. Sin él, el que tiene; "" o nulo lo quita.',
      examples: ['OC-2041'],
    }),
    terms: optionalText(5000, {
      description: 'Condiciones. Sin ellas, las que tiene; "" o nulo las deja vacías.',
      examples: ['50 % de anticipo, resto contra entrega.'],
    }),
    internalNotes: optionalText(2000, {
      description: 'El cliente nunca las ve. Sin ellas, las que tiene; "" o nulo las deja vacías.',
      examples: ['Margen del 30 %'],
    }),
    attachmentIds: attachmentIds(),
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'la versión que se revisa; si ya no es la actual, 409' }),
    ),
  },
  {
    description:
      'Lo que no se envía se conserva, también anticipo y `metadata`; `shippingCost` no, que sin valor es 0.',
  },
);
export type ReviseQuote = Static<typeof ReviseQuote>;
