import { readSignedPdf } from '../../adapters/signed-pdf.ts';
import { Signature } from '../../db/models/signature.ts';
import { StoredFile } from '../../db/models/stored-file.ts';
import type { Caller } from '../../domain/caller.ts';
import { signatureNotFound } from '../../domain/errors.ts';
import { displayNumber, fileNameOf } from '../../domain/quote-number.ts';
import type { Deps } from '../deps.ts';
import type { HandlerResult } from '../route.ts';
import type { ResponseBody } from '../schema.ts';
import type { EvidenceBody } from './history-schema.ts';
import { evidenceBody } from './present-history.ts';
import { findVisibleQuote } from './queries.ts';
import { withImage } from './written-signature.ts';

/** The evidence of an acceptance as a file, with links to the signed document and to the one shown before. */
export async function signatureEvidence(
  { withTenant, storage, reportLoss, pdf }: Deps,
  caller: Caller,
  quoteId: string,
): Promise<HandlerResult<ResponseBody<typeof EvidenceBody>, 200>> {
  const { quote, signature, signed, shown } = await withTenant(caller.tenantId, async (trx) => {
    const quote = await findVisibleQuote(trx, caller, quoteId);
    const { tenantId } = quote;
    const signature = await Signature.query(trx).findOne({ tenantId, quoteId });
    if (!signature) throw signatureNotFound();
    const { pdfFileId, shownPdfSha256: sha256 } = signature;
    const signed = await StoredFile.query(trx).findOne({ tenantId, id: pdfFileId }).throwIfNotFound();
    // Found by its hash, the only reference of the signature to the shown document.
    const shown = sha256 ? await StoredFile.query(trx).findOne({ tenantId, quoteId, kind: 'quote_pdf', sha256 }) : null;
    return { quote, signature, signed, shown };
  });
  await readSignedPdf(storage, { storageKey: signed.storageKey, sha256: signature.pdfSha256 }, reportLoss);
  const label = fileNameOf(displayNumber(quote));
  const link = ({ storageKey, contentType }: StoredFile, filename: string) =>
    storage.presignedUrl(storageKey, { filename, contentType });
  const pdfUrl = await link(signed, `${label}-firmada.pdf`);
  const shownPdfUrl = shown ? await link(shown, `${label}.pdf`) : null;
  const headers = {
    'Content-Disposition': `attachment; filename="${label}-constancia.json"`,
    'Cache-Control': 'private, no-store',
  };
  return {
    status: 200,
    body: { ...evidenceBody(await withImage(pdf, signature), quote.quoteNumber), pdfUrl, shownPdfUrl },
    headers,
  };
}
