import { createHash } from 'node:crypto';
import { fingerprint } from '../../adapters/pdf/fingerprint.ts';
import { newId } from '../../db/ids.ts';
import { Quote } from '../../db/models/quote.ts';
import { Signature } from '../../db/models/signature.ts';
import { StoredFile } from '../../db/models/stored-file.ts';
import type { FullQuote } from '../../db/reads/quote-facts.ts';
import { changeQuoteStatus } from '../../db/writes/change-quote-status.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { unavailable } from '../../domain/errors.ts';
import { consentText, judgeAnswer } from '../../domain/portal.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { Deps } from '../deps.ts';
import { versionSnapshot } from '../quotes/present.ts';
import { type AnswerSource, portalActor } from './actor.ts';
import { drawingOf, drawWhole } from './document.ts';
import { type PortalQuote, withPortalQuote } from './find.ts';
import { inTurn } from './in-turn.ts';
import type { AcceptQuote } from './schema.ts';
import { type StoredSignature, storedSignature } from './signature-image.ts';

/** Each try redraws what was changed under it; nobody edits a quote that often by hand. */
const TRIES = 3;

/** What an acceptance answers, the first time and every time after it. */
export interface Accepted {
  readonly status: Quote['status'];
  readonly version: number;
  readonly signedAt?: string;
}

interface Acceptance {
  readonly token: string;
  readonly body: AcceptQuote;
  readonly source: AnswerSource;
}

/** What will be signed, with the document that shows it signed. */
interface Prepared {
  readonly tenantId: string;
  readonly quoteId: string;
  readonly signature: StoredSignature;
  readonly signedAt: Date;
  /** Of the drawing before it was signed: tells whether what was drawn is still what the quote says. */
  readonly fingerprint: string;
  readonly drawing: QuoteDrawing;
}

/**
 * The client accepts the version they were shown. The signed document is drawn and stored first, outside of any
 * transaction; then status, signature with its evidence, audit entry and event are written in one, under the quote's
 * lock, if the quote still is what was drawn. The same answer again changes nothing (decisions, section 5).
 */
export async function acceptQuote(deps: Deps, acceptance: Acceptance): Promise<Accepted> {
  const { token, body } = acceptance;
  // One after the other for one link: the second of twenty finds the first one's answer and draws nothing.
  return inTurn(token, async () => {
    const before = await withPortalQuote(deps, token, (_trx, found) => Promise.resolve(givenAnswer(found, body)));
    if (before) return before;
    const signature = await storedSignature(deps.images, body.signature);
    for (let tried = 0; tried < TRIES; tried += 1) {
      const prepared = await prepare(deps, acceptance, signature);
      const fileId = await freeze(deps, prepared);
      const accepted = await withPortalQuote(
        deps,
        token,
        (trx, found) => commit(trx, found, { acceptance, prepared, ...fileId }),
        { lock: true },
      );
      if (accepted) return accepted;
    }
    throw unavailable(new Error('the quote kept changing while its signed document was drawn'));
  });
}

/** The answer that was given before, if it is this one. Throws when the quote cannot be accepted any more. */
function givenAnswer({ quote, signature }: PortalQuote, { version }: AcceptQuote): Accepted | undefined {
  if (judgeAnswer(quote, { outcome: 'ACCEPTED', version }, new Date()) === 'new') return undefined;
  const signedAt = signature && { signedAt: signature.signedAt.toISOString() };
  return { status: quote.status, version: quote.version, ...signedAt };
}

async function prepare(deps: Deps, { token, body }: Acceptance, signature: StoredSignature): Promise<Prepared> {
  return withPortalQuote(deps, token, async (trx, { quote }) => {
    const signedAt = new Date();
    const { signerName, signerEmail } = body;
    const unsigned = await drawingOf(trx, quote.id);
    return {
      tenantId: quote.tenantId,
      quoteId: quote.id,
      signature,
      signedAt,
      fingerprint: fingerprint(unsigned),
      drawing: {
        ...unsigned,
        signature: { ...signature, signerName, signerEmail, signedAt: signedAt.toISOString() },
      },
    };
  });
}

interface Frozen {
  readonly fileId: string;
  readonly pdfSha256: string;
}

/** Draws the signed document and stores it, once and for all. */
async function freeze(deps: Deps, { tenantId, quoteId, drawing }: Prepared): Promise<Frozen> {
  const pdf = await drawWhole(deps, drawing);
  const fileId = newId();
  const storageKey = `t/${tenantId}/quotes/${quoteId}/signed-${fileId}.pdf`;
  const pdfSha256 = createHash('sha256').update(pdf).digest('hex');
  const file = { tenantId, quoteId, storageKey, contentType: 'application/pdf', sizeBytes: pdf.length };
  // The row first, so that no object is without one. A document whose acceptance fails after all stays unreferenced.
  await deps.withTenant(tenantId, (trx) =>
    StoredFile.query(trx).insert({ ...file, id: fileId, kind: 'signed_pdf', sha256: pdfSha256 }),
  );
  await deps.storage.put(storageKey, pdf, 'application/pdf');
  return { fileId, pdfSha256 };
}

/** Writes all of it, or answers undefined when the quote or its look was changed since the document was drawn. */
async function commit(
  trx: TenantTransaction,
  found: PortalQuote,
  { acceptance, prepared, fileId, pdfSha256 }: { acceptance: Acceptance; prepared: Prepared } & Frozen,
): Promise<Accepted | undefined> {
  const { body, source } = acceptance;
  const { quote } = found;
  const given = givenAnswer(found, body);
  if (given) return given;
  const unsigned = await drawingOf(trx, quote.id);
  if (fingerprint(unsigned) !== prepared.fingerprint) return undefined;

  const { tenantId, id: quoteId, version } = quote;
  const snapshot = snapshotOf(quote);
  const signatureId = newId();
  await Signature.query(trx).insert({
    id: signatureId,
    tenantId,
    quoteId,
    ...prepared.signature,
    signerName: body.signerName,
    signerEmail: body.signerEmail,
    signedAt: prepared.signedAt,
    version,
    snapshot,
    snapshotSha256: createHash('sha256').update(snapshot).digest('hex'),
    pdfFileId: fileId,
    pdfSha256,
    consentText: consentText(unsigned),
    ip: source.ip,
    userAgent: source.userAgent,
  });
  await Quote.query(trx).findOne({ tenantId, id: quoteId }).patch({ answeredAt: prepared.signedAt });
  const details = { version, signatureId, pdfSha256 };
  await changeQuoteStatus(trx, portalActor(tenantId, source), quoteId, 'ACCEPTED', { details });
  return { status: 'ACCEPTED', version, signedAt: prepared.signedAt.toISOString() };
}

/** What was signed, as text: its SHA-256 is part of the evidence. */
const snapshotOf = (quote: FullQuote): string =>
  JSON.stringify({
    quoteNumber: quote.quoteNumber,
    version: quote.version,
    client: { contactName: quote.clientContactName, companyName: quote.clientCompanyName },
    ...versionSnapshot(quote),
  });
