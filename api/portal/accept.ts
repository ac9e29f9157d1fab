import { Quote } from '../../db/models/quote.ts';
import { Signature } from '../../db/models/signature.ts';
import { changeQuoteStatus } from '../../db/writes/change-quote-status.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { unavailable } from '../../domain/errors.ts';
import { judgeAnswer } from '../../domain/portal.ts';
import type { Deps } from '../deps.ts';
import { portalActor } from './actor.ts';
import { drawingOf } from './document.ts';
import { type PortalQuote, withPortalQuote } from './find.ts';
import { inTurn } from './in-turn.ts';
import type { AcceptQuote } from './schema.ts';
import { type StoredSignature, storedSignature } from './signature-image.ts';
import {
  type Acceptance,
  freezeSigned,
  isUnchanged,
  readSigning,
  type SignedDocument,
  type Signing,
} from './signed-document.ts';

/** Each try redraws what was changed under it; nobody edits a quote that often by hand. */
const TRIES = 3;

/** What an acceptance answers, the first time and every time after it. */
export interface Accepted {
  readonly status: Quote['status'];
  readonly version: number;
  readonly signedAt?: string;
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
    const { before, tenantId } = await withPortalQuote(deps, token, (_trx, found) =>
      Promise.resolve({ before: givenAnswer(found, body, deps.now()), tenantId: found.tenant.id }),
    );
    if (before) return before;
    const signature = await storedSignature(deps, tenantId, body);
    for (let tried = 0; tried < TRIES; tried += 1) {
      const signing = await readSigning(deps, acceptance);
      const document = await freezeSigned(deps, signing, { ...acceptance, signature });
      const accepted = await withPortalQuote(
        deps,
        token,
        (trx, found) => commit(trx, found, { acceptance, signature, signing, document, now: deps.now() }),
        { lock: true },
      );
      if (accepted) return accepted;
    }
    throw unavailable(new Error('the quote kept changing while its signed document was drawn'));
  });
}

/** The answer that was given before, if it is this one. Throws when the quote cannot be accepted any more. */
function givenAnswer({ quote, signature }: PortalQuote, { version }: AcceptQuote, now: Date): Accepted | undefined {
  if (judgeAnswer(quote, { outcome: 'ACCEPTED', version }, now) === 'new') return undefined;
  const signedAt = signature && { signedAt: signature.signedAt.toISOString() };
  return { status: quote.status, version: quote.version, ...signedAt };
}

interface Signed {
  readonly acceptance: Acceptance;
  readonly signature: StoredSignature;
  readonly signing: Signing;
  readonly document: SignedDocument;
  readonly now: Date;
}

/** Writes all of it, or answers undefined when the quote or its look was changed since the document was drawn. */
async function commit(
  trx: TenantTransaction,
  found: PortalQuote,
  { acceptance, signature, signing, document, now }: Signed,
): Promise<Accepted | undefined> {
  const { body, source } = acceptance;
  const { quote } = found;
  const given = givenAnswer(found, body, now);
  if (given) return given;
  if (!isUnchanged(signing, quote, await drawingOf(trx, quote.id, body.locale))) return undefined;

  const { tenantId, id: quoteId, version } = quote;
  const { signatureId, signedAt, snapshot } = signing;
  const { fileId, ...evidence } = document;
  await Signature.query(trx).insert({
    id: signatureId,
    tenantId,
    quoteId,
    ...signature,
    signerName: body.signerName,
    signerEmail: body.signerEmail,
    signedAt,
    version,
    snapshot,
    pdfFileId: fileId,
    ...evidence,
    ip: source.ip,
    userAgent: source.userAgent,
  });
  await Quote.query(trx).findOne({ tenantId, id: quoteId }).patch({ answeredAt: signedAt });
  const details = { version, signatureId, pdfSha256: evidence.pdfSha256 };
  await changeQuoteStatus(trx, portalActor(tenantId, source), quoteId, 'ACCEPTED', { details });
  return { status: 'ACCEPTED', version, signedAt: signedAt.toISOString() };
}
