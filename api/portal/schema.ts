import { type Static, Type } from 'typebox';
import { LOCALES } from '../../domain/locale.ts';
import { MAX_MESSAGE_LENGTH } from '../../domain/messages.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { attachments } from '../attachments/schema.ts';
import { addedToItem, detailsOf, signed } from '../quotes/detail-schema.ts';
import {
  named,
  namedInput,
  dropsUnknown,
  decimalText,
  email,
  id,
  line,
  nullable,
  oneOf,
  optionalEmail,
  optionalLine,
  optionalText,
  text,
  timestamp,
} from '../schema.ts';

export const PortalParams = Type.Object({
  // No format: an invalid token gets the same 404. Short enough that a longer one, escaped, still fits the limit of
  // URLs and gets this 400 instead of a 413.
  token: Type.String({ maxLength: 512, examples: ['q3X0m2kPp5r9Yb7uWc1nZt8vLd4sJfHgAe6iKoMxQyR'] }),
});

export const PortalAttachmentParams = Type.Object({
  ...PortalParams.properties,
  attachmentId: Type.String({ maxLength: 64 }),
});

export const PdfQuery = dropsUnknown({
  lang: Type.Optional(
    Type.String({ maxLength: 64, description: 'idioma del documento; otros valores se ignoran', examples: ['en-US'] }),
  ),
});

/**
 * Limit for the body of an acceptance. A signature image of 512 kB fits both as base64 in JSON and as a form with `+`
 * and `/` escaped.
 */
export const MAX_BYTES = {
  accept: 768 * 1024,
  acceptForm: 1024 * 1024,
  reject: 64 * 1024,
  totals: 128 * 1024,
  changes: 64 * 1024,
} as const;

/** Of a quote. */
export const MAX_LINES = 1000;

export const REASON_LENGTH = 1000;
export const NAME_LENGTH = 200;

/** With the discriminator Ajv applies checks and removal only to the branch that `type` names. */
const SignatureInput = Type.Unsafe<SignatureInput>({
  title: 'SignatureInput',
  type: 'object',
  discriminator: { propertyName: 'type' },
  oneOf: [
    namedInput('DrawnSignatureInput', {
      type: Type.Literal('drawn'),
      data: Type.String({
        // The limit of the body: images that are too large get a message of their own.
        maxLength: MAX_BYTES.acceptForm,
        description: 'PNG o JPEG como data URL, a lo más 512 kB; se guarda vuelta a dibujar.',
        examples: ['data:image/png;base64,iVBORw0KGgo='],
      }),
    }),
    namedInput('TypedSignatureInput', {
      type: Type.Literal('typed'),
      data: optionalLine(NAME_LENGTH, {
        description: 'Lo que se escribió como firma. Sin él, el nombre.',
        examples: ['L. Méndez'],
      }),
    }),
  ],
});
export type SignatureInput =
  | { readonly type: 'drawn'; readonly data: string }
  | { readonly type: 'typed'; readonly data?: string | null };

/** The version that was shown, and what the client selected of it. */
const selection = {
  version: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'La que se mostró.', examples: [1] }),
  selectedItemIds: Type.Optional(
    Type.Array(Type.String({ maxLength: 64, examples: ['itm_4f8k2m9x'] }), {
      maxItems: MAX_LINES,
      description:
        'Los `id` de las partidas opcionales y alternativas elegidas. Una opcional que no se nombra no cuenta; un grupo ' +
        'que no se nombra queda como lo dejó el vendedor. Ausente: todo como lo dejó el vendedor.',
    }),
  ),
};

export const SelectItems = namedInput('SelectionInput', selection);
export type SelectItems = Static<typeof SelectItems>;

export const AcceptQuote = namedInput('AcceptanceInput', {
  signerName: line(NAME_LENGTH, { examples: ['Laura Méndez'] }),
  signerEmail: email({ examples: ['laura@example.com'] }),
  ...selection,
  signature: Type.Optional(SignatureInput),
  locale: Type.Optional(
    oneOf('Locale', LOCALES, {
      description:
        'idioma en que se mostró: el del texto aceptado, su constancia y el documento; ausente: el del cliente',
      examples: ['es-MX'],
    }),
  ),
});
export type AcceptQuote = Static<typeof AcceptQuote>;

export const RejectQuote = namedInput('RejectionInput', {
  reason: optionalText(REASON_LENGTH, { examples: ['Encontramos un mejor precio'] }),
});
export type RejectQuote = Static<typeof RejectQuote>;

export const RequestChanges = namedInput('ChangeRequestInput', {
  message: text(MAX_MESSAGE_LENGTH, { examples: ['¿Puede incluir la instalación?'] }),
  version: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'La que se mostró.', examples: [1] }),
  name: optionalLine(NAME_LENGTH, { examples: ['Laura Méndez'] }),
  email: optionalEmail({ description: 'Se muestra al negocio; ningún correo se envía a esta dirección.' }),
});
export type RequestChanges = Static<typeof RequestChanges>;

/** The same members in every state of the quote. */
export const PortalQuoteBody = named('PortalQuote', {
  quoteNumber: Type.Integer({ minimum: 1 }),
  displayNumber: Type.String({ examples: ['COT-12'] }),
  title: nullable(Type.String()),
  reference: nullable(Type.String()),
  version: Type.Integer({ minimum: 1 }),
  status: oneOf('QuoteStatus', QUOTE_STATUSES),
  isExpired: Type.Boolean(),
  canRespond: Type.Boolean({ description: 'si todavía se puede aceptar o rechazar' }),
  business: named('PortalBusiness', {
    companyName: Type.String({ examples: ['Muebles Acme'] }),
    email: nullable(Type.String()),
    phone: nullable(Type.String()),
    logoUrl: nullable(Type.String({ format: 'uri' })),
  }),
  client: named('PortalClient', {
    contactName: Type.String({ examples: ['Laura Méndez'] }),
    companyName: nullable(Type.String()),
  }),
  items: Type.Array(
    named('PortalItem', {
      id: id(),
      productName: Type.String({ examples: ['Silla ejecutiva'] }),
      model: nullable(Type.String()),
      unitPrice: decimalText(),
      quantity: Type.Number({ exclusiveMinimum: 0 }),
      discountPct: decimalText(),
      subtotal: decimalText(),
      ...addedToItem,
    }),
  ),
  subtotal: decimalText(),
  discount: decimalText(),
  ...detailsOf(decimalText()),
  tax: signed(decimalText()),
  shippingCost: decimalText(),
  total: decimalText(),
  currency: Type.String({ examples: ['MXN'] }),
  notes: Type.String(),
  attachments: attachments(),
  expiresAt: timestamp(),
  validUntil: Type.String({ format: 'date', description: 'el día de expiresAt, en la zona del negocio' }),
  signature: nullable(named('PortalSignature', { signerName: Type.String(), signedAt: timestamp() })),
});

/** The amounts under a selection. */
export const TotalsBody = named('PortalTotals', {
  version: Type.Integer({ minimum: 1 }),
  currency: Type.String({ examples: ['MXN'] }),
  items: Type.Array(
    named('PortalTotalsItem', {
      id: id(),
      optional: addedToItem.optional,
      choice: addedToItem.choice,
      selected: addedToItem.selected,
      counts: addedToItem.counts,
      subtotal: decimalText(),
    }),
  ),
  subtotal: decimalText(),
  discount: decimalText(),
  taxes: detailsOf(decimalText()).taxes,
  tax: signed(decimalText()),
  shippingCost: decimalText(),
  total: decimalText(),
  deposit: detailsOf(decimalText()).deposit,
});

export const AcceptedBody = named('Acceptance', {
  status: oneOf('QuoteStatus', QUOTE_STATUSES),
  version: Type.Integer({ minimum: 1 }),
  signedAt: Type.Optional(timestamp()),
});
export const RejectedBody = named('Rejection', {
  status: oneOf('QuoteStatus', QUOTE_STATUSES),
  version: Type.Integer({ minimum: 1 }),
});

export const RequestedChangesBody = named('ChangeRequest', { id: id() });
