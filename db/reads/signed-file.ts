import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { Signature } from '../models/signature.ts';
import { StoredFile } from '../models/stored-file.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { drawingOf } from './quote-drawing.ts';
import { readFullQuote } from './full-quote.ts';

/** The document of a signature: where it is stored, and the hash in the evidence. */
export interface SignedFile {
  readonly storageKey: string;
  readonly sha256: string;
}

/** The signed document of the quote's present version; undefined when that is not signed. */
export async function readSignedFile(
  trx: TenantTransaction,
  { tenantId, id: quoteId, version }: { tenantId: string; id: string; version: number },
): Promise<SignedFile | undefined> {
  const signature = await Signature.query(trx).findOne({ tenantId, quoteId, version });
  return signature && signedFileOf(trx, signature);
}

export async function signedFileOf(
  trx: TenantTransaction,
  { tenantId, pdfFileId, pdfSha256: sha256 }: Signature,
): Promise<SignedFile> {
  const { storageKey } = await StoredFile.query(trx).findOne({ tenantId, id: pdfFileId }).throwIfNotFound();
  return { storageKey, sha256 };
}

/** The quote as it is drawn, and its signed document if there is one; undefined when there is no such quote. */
export async function readDocument(
  trx: TenantTransaction,
  quoteId: string,
): Promise<{ readonly drawing: QuoteDrawing; readonly signed: SignedFile | undefined } | undefined> {
  const quote = await readFullQuote(trx, quoteId);
  return quote && { drawing: await drawingOf(trx, quote), signed: await readSignedFile(trx, quote) };
}
