import { Quote } from '../../db/models/quote.ts';
import { Signature } from '../../db/models/signature.ts';
import { recordAnswer } from '../../db/writes/record-answer.ts';
import { recordSelection } from '../../db/writes/record-selection.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { unavailable } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { portalActor } from './actor.ts';
import { drawingFor } from './document.ts';
import { type PortalQuote, withPortalQuote } from './find.ts';
import { runExclusive } from './keyed-mutex.ts';
import type { AcceptQuote } from './schema.ts';
import { amountsOf, selectedQuote } from './selection.ts';
import { type StoredSignature, storedSignature } from './signature-image.ts';
import {
  type Acceptance,
  freezeSigned,
  isUnchanged,
  readSigning,
  type SignedDocument,
  type Signing,
} from './signed-document.ts';

/** Each attempt redraws a quote that changed in the meantime. */
const MAX_ATTEMPTS = 3;

/** The result of an acceptance, the same for repeated requests. */
export interface Accepted {
  readonly status: Quote['status'];
  readonly version: number;
  readonly signedAt?: string;
}

/**
 * Accepts the version that the client was shown. The signed document is drawn and stored first, outside of any
 * transaction. Then selection, status, signature with evidence, audit entry and event are written in one transaction under
 * the quote's lock, if the quote has not changed since. Repeating an acceptance changes nothing.
 */
export async function acceptQuote(deps: Deps, acceptance: Acceptance): Promise<Accepted> {
  const { token, body } = acceptance;
  // Serialized per link: of concurrent requests only the first draws, the others return its result.
  return runExclusive(token, async () => {
    const { before, tenantId } = await withPortalQuote(deps, token, (_trx, found) =>
      Promise.resolve({ before: earlierAcceptance(found, body, deps.now()), tenantId: found.tenant.id }),
    );
    if (before) return before;
    const signature = await storedSignature(deps, tenantId, body);
    for (let tried = 0; tried < MAX_ATTEMPTS; tried += 1) {
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

/** The result of an earlier, equal acceptance. Throws if the quote can no longer be accepted like this. */
function earlierAcceptance(found: PortalQuote, body: AcceptQuote, now: Date): Accepted | undefined {
  if (selectedQuote(found, body, now).isNew) return undefined;
  const { quote, signature } = found;
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

/** Writes the acceptance; returns undefined if the quote or its appearance changed since the document was drawn. */
async function commit(
  trx: TenantTransaction,
  found: PortalQuote,
  { acceptance, signature, signing, document, now }: Signed,
): Promise<Accepted | undefined> {
  const { body, source } = acceptance;
  const { quote } = found;
  const given = earlierAcceptance(found, body, now);
  if (given) return given;
  if (!isUnchanged(signing, quote, await drawingFor(trx, quote, body.locale))) return undefined;

  const { tenantId, id: quoteId, version } = quote;
  const { signatureId, signedAt, snapshot, selected, selection } = signing;
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
    selection: selection && JSON.stringify(selection),
    pdfFileId: fileId,
    ...evidence,
    ip: source.ip,
    userAgent: source.userAgent,
  });
  if (selected) {
    await Quote.query(trx).findOne({ tenantId, id: quoteId }).patch(amountsOf(selected));
    await recordSelection(trx, selected);
  }
  await recordAnswer(trx, portalActor(tenantId, source), {
    quoteId,
    outcome: 'ACCEPTED',
    at: signedAt,
    signerName: body.signerName,
    signerEmail: body.signerEmail,
    details: { version, signatureId, pdfSha256: evidence.pdfSha256, ...(selected && { selection }) },
  });
  return { status: 'ACCEPTED', version, signedAt: signedAt.toISOString() };
}
