import { type Static, Type } from 'typebox';
import { decimalText, dropsUnknown, named, namedInput, timestamp } from '../schema.ts';
import { newQuote } from './content-schema.ts';
import { addedToItem, detailsOf, signed } from './detail-schema.ts';

/** A new quote without a client: amounts are wanted while it is still being chosen. */
export const PreviewQuote = namedInput(
  'QuotePreviewInput',
  {
    ...newQuote,
    clientId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Puede faltar; si está, debe existir y estar activo.' }),
    ),
  },
  { description: 'Como QuoteInput, y clientId puede faltar.' },
);
export type PreviewQuote = Static<typeof PreviewQuote>;
export const PreviewQuoteQuery = dropsUnknown({
  quoteId: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'La cotización abierta que se revisaría: lo que no se envía es lo que tiene, con sus impuestos congelados. PRO.',
    }),
  ),
});

/** Money as decimal strings, as in other responses that store nothing. */
export const QuotePreview = named('QuotePreview', {
  currency: Type.String(),
  taxRate: decimalText(),
  items: Type.Array(named('QuotePreviewItem', { subtotal: decimalText(), counts: addedToItem.counts }), {
    description: 'por partida, en su orden',
  }),
  subtotal: decimalText(),
  discount: decimalText(),
  tax: signed(decimalText()),
  shippingCost: decimalText(),
  total: decimalText(),
  ...detailsOf(decimalText()),
  notes: Type.String(),
  expiresAt: timestamp(),
  validUntil: Type.String({ format: 'date', examples: ['2026-12-15'] }),
});
