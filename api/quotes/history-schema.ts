import { type Static, type TProperties, Type } from 'typebox';
import { LOCALES } from '../../domain/locale.ts';
import { AttachmentOfVersion } from '../attachments/schema.ts';
import { named, decimalText, dropsUnknown, id, nullable, oneOf, timestamp } from '../schema.ts';
import { addedToItem, detailsOf, internal, signed } from './detail-schema.ts';

export const ListVersions = dropsUnknown({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'solo esta versión' })),
});
export type ListVersions = Static<typeof ListVersions>;

/** Absent in snapshots of an earlier release. */
const addedLater = <P extends TProperties>(members: P) => Type.Partial(Type.Object(members)).properties;

/** A version as it was before it was revised, with money as decimal strings. */
export const QuoteVersionBody = named('QuoteVersion', {
  id: id(),
  version: Type.Integer({ minimum: 1, examples: [1] }),
  snapshot: named('QuoteSnapshot', {
    clientId: id(),
    items: Type.Array(
      named('QuoteSnapshotItem', {
        productId: nullable(id()),
        productName: Type.String({ examples: ['Silla ejecutiva'] }),
        model: nullable(Type.String({ examples: ['SE-200'] })),
        unitPrice: decimalText(),
        quantity: Type.Number({ examples: [4] }),
        discountPct: decimalText(),
        subtotal: decimalText(),
        ...addedLater(addedToItem),
      }),
    ),
    notes: Type.String({ examples: ['Entrega en obra'] }),
    subtotal: decimalText(),
    tax: signed(decimalText()),
    shippingCost: decimalText(),
    total: decimalText(),
    taxRate: decimalText(),
    currency: Type.String({ examples: ['MXN'] }),
    expiresAt: timestamp(),
    ...addedLater({
      discount: decimalText(),
      ...detailsOf(decimalText()),
      ...internal,
      attachments: Type.Array(AttachmentOfVersion),
      title: nullable(Type.String()),
      reference: nullable(Type.String()),
    }),
  }),
  createdBy: Type.String({ description: 'quien hizo la revisión', examples: ['Diana Ruiz'] }),
  createdAt: timestamp(),
});

export const SignatureResult = named('QuoteSignature', {
  signature: nullable(
    named('Signature', {
      type: Type.String({ examples: ['drawn'] }),
      data: Type.String({
        description: 'imagen como data URL; de una firma escrita, su texto o el nombre como imagen',
        examples: ['data:image/png;base64,iVBORw0='],
      }),
      signerName: Type.String({ examples: ['Laura Méndez'] }),
      signerEmail: Type.String({ examples: ['laura@example.com'] }),
      signedAt: timestamp(),
    }),
  ),
});

/** The optional lines and alternatives that count, and the total with them. */
const SelectedLines = named('EvidenceSelection', {
  items: Type.Array(
    named('EvidenceItem', {
      id: id(),
      productName: Type.String({ examples: ['Lámpara de pie'] }),
      choice: nullable(Type.String({ examples: ['Acabado'] })),
    }),
  ),
  total: decimalText(),
});

/** The evidence of an acceptance: signer, content, wording, source and the hashes of the documents. */
export const EvidenceBody = named('SignatureEvidence', {
  signatureId: id(),
  quoteId: id(),
  quoteNumber: Type.Integer({ examples: [12] }),
  version: Type.Integer({ minimum: 1, examples: [1] }),
  type: Type.String({ examples: ['drawn'] }),
  data: Type.String({ description: 'imagen como data URL', examples: ['data:image/png;base64,iVBORw0='] }),
  typedText: nullable(Type.String({ description: 'lo que se escribió como firma; null: se dibujó, o vale el nombre' })),
  signerName: Type.String({ examples: ['Laura Méndez'] }),
  signerEmail: Type.String({ examples: ['laura@example.com'] }),
  signedAt: timestamp(),
  consentText: Type.String({ examples: ['Acepto la cotización COT-12, versión 1, …'] }),
  consentLocale: oneOf('Locale', LOCALES, { description: 'idioma del texto aceptado', examples: ['es-MX'] }),
  ip: Type.String({ examples: ['192.0.2.7'] }),
  userAgent: Type.String({ examples: ['Mozilla/5.0 (iPhone; …)'] }),
  selection: nullable(
    named(
      'EvidenceSelections',
      { preset: SelectedLines, selected: SelectedLines },
      {
        description:
          'las opciones como las dejó el vendedor y como las eligió el cliente; nulo en cotizaciones sin opciones',
      },
    ),
  ),
  snapshot: Type.String({ description: 'lo que se firmó, como texto JSON; su SHA-256 es `snapshotSha256`' }),
  snapshotSha256: Type.String({ examples: ['2c26b46b68ffc68f…'] }),
  pdfSha256: Type.String({ description: 'del documento firmado, byte por byte', examples: ['9f86d081884c7d65…'] }),
  pdfUrl: Type.String({ format: 'uri', description: 'el documento firmado; el enlace vale 15 minutos' }),
  shownPdfSha256: nullable(
    Type.String({
      description:
        'del documento que se mostró antes de firmar; está escrito en la constancia. Nulo en firmas sin ella',
      examples: ['5feceb66ffc86f38…'],
    }),
  ),
  shownPdfUrl: nullable(
    Type.String({ format: 'uri', description: 'el documento que se mostró; el enlace vale 15 minutos' }),
  ),
});

export const LinkBody = named('QuoteLink', {
  publicToken: Type.String({ examples: ['q3X0m2kPp5r9Yb7uWc1nZt8vLd4sJfHgAe6iKoMxQyR'] }),
  url: Type.String({
    format: 'uri',
    examples: ['https://cotizaciones.example.com/p/q3X0m2kPp5r9Yb7uWc1nZt8vLd4sJfHgAe6iKoMxQyR'],
  }),
});

export const WorkflowExecutionBody = named('WorkflowExecution', {
  workflowId: Type.String({ examples: ['quote.t-4f8k2m9x.COT-12'] }),
  runId: Type.String({ examples: ['0199a4b2-5c1e-7d3f-8a6b-2e4c6f8a0b1d'] }),
  type: Type.String({ examples: ['quoteLifecycle'] }),
  status: Type.String({ examples: ['RUNNING'] }),
  startTime: timestamp(),
  closeTime: nullable(timestamp()),
  url: nullable(Type.String({ description: 'su página en Temporal; null si no hay interfaz configurada' })),
});
