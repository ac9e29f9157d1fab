import { createHash } from 'node:crypto';
import { fingerprint } from '../../adapters/pdf/fingerprint.ts';
import { newId } from '../../db/ids.ts';
import { StoredFile } from '../../db/models/stored-file.ts';
import type { FullQuote } from '../../db/reads/full-quote.ts';
import { consentText } from '../../domain/portal.ts';
import type { Locale } from '../../domain/locale.ts';
import { lookOf, type QuoteDrawing } from '../../domain/quote-drawing.ts';
import { displayNumber } from '../../domain/quote-number.ts';
import type { Deps } from '../deps.ts';
import { versionSnapshot } from '../quotes/present.ts';
import type { DecisionSource } from './actor.ts';
import { drawingFor, drawWhole, shownPdf } from './document.ts';
import { withPortalQuote } from './find.ts';
import type { AcceptQuote } from './schema.ts';
import { selectedQuote, type SelectionEvidence, selectionEvidence } from './selection.ts';
import type { StoredSignature } from './signature-image.ts';

export interface Acceptance {
  readonly token: string;
  readonly body: AcceptQuote;
  readonly source: DecisionSource;
}

/** The content to sign: read before drawing, and compared with the quote again before the signature is written. */
export interface Signing {
  readonly tenantId: string;
  readonly quoteId: string;
  readonly signatureId: string;
  readonly signedAt: Date;
  /** As the seller offers it. */
  readonly drawing: QuoteDrawing;
  /** Compared with the quote when the signature is written. */
  readonly offered: string;
  /** With the lines that the client selected. */
  readonly signedDrawing: QuoteDrawing;
  /** The quote with the client's selection; null if that is the seller's preset. */
  readonly selected: FullQuote | null;
  readonly selection: SelectionEvidence | null;
  /** JSON text; its SHA-256 is part of the evidence. */
  readonly snapshot: string;
}

/** The stored document of a signature and the hashes in its evidence. */
export interface SignedDocument {
  readonly fileId: string;
  readonly pdfSha256: string;
  readonly shownPdfSha256: string;
  readonly snapshotSha256: string;
  readonly consentText: string;
  readonly consentLocale: Locale;
  /** JSON text: the parts of the document that come from settings, which may change later. */
  readonly look: string;
}

export const readSigning = (deps: Deps, { token, body }: Acceptance): Promise<Signing> =>
  withPortalQuote(deps, token, async (trx, found) => {
    const { quote } = found;
    const { quote: chosen } = selectedQuote(found, body, deps.now());
    const selected = chosen === quote ? null : chosen;
    const selection = selectionEvidence(quote, chosen);
    const drawing = await drawingFor(trx, quote, body.locale);
    return {
      tenantId: quote.tenantId,
      quoteId: quote.id,
      signatureId: newId(),
      signedAt: deps.now(),
      drawing,
      offered: snapshotOf(quote, null),
      signedDrawing: selected ? await drawingFor(trx, selected, body.locale) : drawing,
      selected,
      selection,
      snapshot: snapshotOf(chosen, selection),
    };
  });

/** Whether the quote and its appearance still match what was drawn. */
export const isUnchanged = (signing: Signing, quote: FullQuote, drawing: QuoteDrawing): boolean =>
  fingerprint(drawing) === fingerprint(signing.drawing) && snapshotOf(quote, null) === signing.offered;

/** Draws the document with the signature and its certificate, and stores it. */
export async function freezeSigned(
  deps: Deps,
  signing: Signing,
  { body, source, signature }: Acceptance & { readonly signature: StoredSignature },
): Promise<SignedDocument> {
  const { tenantId, quoteId, signatureId, signedAt, drawing, signedDrawing } = signing;
  const evidence = {
    consentText: consentText(signedDrawing),
    snapshotSha256: sha256(signing.snapshot),
    shownPdfSha256: sha256(await shownPdf(deps, { tenantId, quoteId }, drawing)),
  };
  const { signerName, signerEmail } = body;
  const { ip, userAgent } = source;
  const certificate = { signatureId, quoteId, ip, userAgent, ...evidence };
  const { type, data } = signature;
  const signed = { type, data, signerName, signerEmail, signedAt: signedAt.toISOString(), certificate };
  const pdf = await drawWhole(deps, tenantId, { ...signedDrawing, signature: signed });

  const pdfSha256 = sha256(pdf);
  const fileId = newId();
  const storageKey = `t/${tenantId}/quotes/${quoteId}/signed-${fileId}.pdf`;
  const file = { tenantId, quoteId, storageKey, contentType: 'application/pdf', sizeBytes: pdf.length };
  // Insert the row first, so that no object lacks one. If the acceptance fails later, the signed_pdf has no signature.
  await deps.withTenant(tenantId, (trx) =>
    StoredFile.query(trx).insert({ ...file, id: fileId, kind: 'signed_pdf', sha256: pdfSha256 }),
  );
  await deps.storage.put(storageKey, pdf, 'application/pdf');
  return { fileId, pdfSha256, look: JSON.stringify(lookOf(drawing)), consentLocale: drawing.locale, ...evidence };
}

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

/** What the client signs, without members that only the business sees. */
const snapshotOf = (quote: FullQuote, selection: SelectionEvidence | null): string => {
  const { internalNotes: _notes, metadata: _metadata, ...shown } = versionSnapshot(quote);
  return JSON.stringify({
    quoteNumber: quote.quoteNumber,
    version: quote.version,
    client: { contactName: quote.clientContactName, companyName: quote.clientCompanyName },
    displayNumber: displayNumber(quote),
    ...shown,
    ...(selection && { selection }),
  });
};
