import { Type } from 'typebox';
import { DEPOSIT_TYPES } from '../../domain/deposit.ts';
import { TAX_KINDS } from '../../domain/taxes.ts';
import { type decimalText, metadata, named, nullable, oneOf, timestamp } from '../schema.ts';

/** Members of quotes in responses that were added to the specified ones. */

/** Money in reads, or in answers of POST. */
export type AmountSchema = ReturnType<typeof decimalText> | ReturnType<typeof Type.Number>;

/** The name of an object with amounts, which tells those with JSON numbers from those with decimal strings. */
export const nameOf = (name: string, amount: AmountSchema): string => ('pattern' in amount ? name : `Numeric${name}`);

/** A tax may be negative, when withholdings exceed transfers. */
export const signed = <T extends AmountSchema>(amount: T): T =>
  'pattern' in amount ? { ...amount, pattern: '^-?\\d+\\.\\d{2,6}$' } : amount;

const answerInList = {
  outcome: oneOf('AnswerOutcome', ['ACCEPTED', 'REJECTED']),
  at: timestamp(),
  version: Type.Integer({ minimum: 1, description: 'la versión respondida' }),
  signerName: nullable(Type.String({ description: 'null si rechazó', examples: ['Ana Torres'] })),
  signerEmail: nullable(Type.String({ examples: ['ana@example.com'] })),
};
/** The client's answer in lists. */
export const AnswerInList = nullable(
  named('QuoteSummaryAnswer', answerInList, { description: 'lo que el cliente respondió en su página' }),
);
/** The client's answer in single reads, responses of POST and events. */
export const Answer = nullable(
  named(
    'QuoteAnswer',
    { ...answerInList, reason: nullable(Type.String({ examples: ['Encontramos un mejor precio'] })) },
    { description: 'lo que el cliente respondió en su página' },
  ),
);

/** Members of a line that were added to the specified ones. */
export const addedToItem = {
  description: nullable(Type.String({ examples: ['Respaldo de malla'] })),
  section: nullable(Type.String({ examples: ['Mobiliario'] })),
  unit: nullable(Type.String({ examples: ['m²'] })),
  taxes: nullable(
    Type.Array(Type.String({ examples: ['IVA16'] }), { description: 'claves; null: el impuesto del negocio' }),
  ),
  optional: Type.Boolean(),
  choice: nullable(Type.String({ examples: ['Acabado'] })),
  selected: Type.Boolean({ description: 'si está elegida una partida opcional o una alternativa' }),
  counts: Type.Boolean({ description: 'si cuenta para los totales' }),
};

/** The frozen taxes of a quote that apply to lines that count or to shipping. */
const taxesOf = <T extends AmountSchema>(amount: T) =>
  Type.Array(
    named(nameOf('QuoteTax', amount), {
      code: Type.String({ examples: ['IVA16'] }),
      name: Type.String({ examples: ['IVA 16 %'] }),
      kind: oneOf('TaxKind', TAX_KINDS),
      rate: amount,
      base: amount,
      amount,
    }),
  );
/** In single reads and answers of POST, but not in lists. */
export const detailsOf = <T extends AmountSchema>(amount: T) => ({
  discountPct: amount,
  taxes: taxesOf(amount),
  shippingTaxes: nullable(Type.Array(Type.String({ examples: ['IVA16'] }))),
  terms: nullable(Type.String({ examples: ['50 % de anticipo'] })),
  deposit: nullable(
    named(nameOf('QuoteDeposit', amount), {
      type: oneOf('DepositType', DEPOSIT_TYPES),
      value: amount,
      note: nullable(Type.String({ examples: ['Al firmar'] })),
      amount,
    }),
  ),
});
/** Members that only the business sees. */
export const internal = {
  internalNotes: nullable(Type.String({ examples: ['Margen del 30 %'] })),
  metadata: metadata(),
};
