import { Signature } from '../../db/models/signature.ts';
import { StoredFile } from '../../db/models/stored-file.ts';
import type { Caller } from '../../domain/caller.ts';
import { signatureNotFound } from '../../domain/errors.ts';
import { quoteLabel } from '../../domain/quote-drawing.ts';
import type { Deps } from '../deps.ts';
import type { Answer } from '../route.ts';
import { evidenceBody } from './present-history.ts';
import { findVisibleQuote } from './queries.ts';

/** What proves that the client accepted, as a file to keep; it links to the document that was signed. */
export async function evidenceOf({ withTenant, storage }: Deps, caller: Caller, quoteId: string): Promise<Answer> {
  const { quoteNumber, signature, storageKey } = await withTenant(caller.tenantId, async (trx) => {
    const { tenantId, quoteNumber } = await findVisibleQuote(trx, caller, quoteId);
    const signature = await Signature.query(trx).findOne({ tenantId, quoteId });
    if (!signature) throw signatureNotFound();
    const { storageKey } = await StoredFile.query(trx).findOne({ tenantId, id: signature.pdfFileId }).throwIfNotFound();
    return { quoteNumber, signature, storageKey };
  });
  const label = quoteLabel(quoteNumber);
  const filename = `${label}-firmada.pdf`;
  const pdfUrl = await storage.presignedUrl(storageKey, { filename, contentType: 'application/pdf' });
  const headers = {
    'Content-Disposition': `attachment; filename="${label}-constancia.json"`,
    'Cache-Control': 'private, no-store',
  };
  return { status: 200, body: { ...evidenceBody(signature, quoteNumber), pdfUrl }, headers };
}
