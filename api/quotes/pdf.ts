import type { PermitRequest } from '../../adapters/fair-queue.ts';
import { fingerprint } from '../../adapters/pdf/fingerprint.ts';
import { readLogo } from '../../adapters/pdf/logo.ts';
import { ensureStoredPdf, type PdfOfQuote } from '../../adapters/pdf/stored-pdf.ts';
import { readSignedPdf } from '../../adapters/signed-pdf.ts';
import { StorageUnavailable } from '../../adapters/storage.ts';
import { drawingOf } from '../../db/reads/quote-drawing.ts';
import { readSignedFile, type SignedFile } from '../../db/reads/signed-file.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { recordQuotePdf } from '../../db/writes/record-quote-pdf.ts';
import type { Caller } from '../../domain/caller.ts';
import { unavailable } from '../../domain/errors.ts';
import { type QuoteDrawing, quotePdfKey } from '../../domain/quote-drawing.ts';
import { fileNameOf } from '../../domain/quote-number.ts';
import { PdfFailed } from '../../adapters/pdf/failure.ts';
import type { Deps } from '../deps.ts';
import { findVisibleQuote } from './queries.ts';

/** The current PDF of the quote; for a signed quote the signed bytes. */
export async function quotePdf(
  deps: Deps,
  { caller, quoteId, signal }: { caller: Caller; quoteId: string; signal: AbortSignal },
): Promise<{ pdf: Buffer; filename: string }> {
  const { drawing, signed } = await visibleDocument(deps, caller, quoteId);
  const pdf = signed
    ? await readSignedPdf(deps.storage, signed, deps.reportLoss)
    : await storedOrDrawn(deps, { tenantId: caller.tenantId, quoteId, signal }, drawing);
  return { pdf, filename: filenameOf(drawing) };
}

/** The stored file of an unsigned quote, or else a new drawing; without the logo while storage is unavailable. */
export async function storedOrDrawn(
  deps: Deps,
  { signal, ...quote }: { tenantId: string; quoteId: string; signal: AbortSignal },
  drawing: QuoteDrawing,
): Promise<Buffer> {
  let logo: Buffer | null = null;
  try {
    const storageKey = quotePdfKey(quote, fingerprint(drawing));
    if (await deps.storage.exists(storageKey)) return await deps.storage.get(storageKey);
    logo = await readLogo(deps.storage, drawing);
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
  }
  return renderQuote(deps, { drawing, logo }, { key: quote.tenantId, signal });
}

/** A link to the stored PDF, valid for 15 minutes. Stored documents are not drawn again, signed ones never. */
export async function linkToQuotePdf(
  deps: Deps,
  { caller, quoteId, signal }: { caller: Caller; quoteId: string; signal: AbortSignal },
): Promise<string> {
  const { tenantId } = caller;
  const { drawing, signed } = await visibleDocument(deps, caller, quoteId);
  const link = { filename: filenameOf(drawing), contentType: 'application/pdf' };
  if (signed) {
    // Verify the signed bytes before linking to them.
    await readSignedPdf(deps.storage, signed, deps.reportLoss);
    return deps.storage.presignedUrl(signed.storageKey, link);
  }
  // Outside of any transaction: rendering and uploading take their time.
  const { storageKey } = await storeQuotePdf(deps, { tenantId, quoteId, drawing }, { key: tenantId, signal });
  return deps.storage.presignedUrl(storageKey, link);
}

/** Draws and stores the PDF of a quote unless it is stored. */
export const storeQuotePdf = (deps: Deps, quote: PdfOfQuote, permit: PermitRequest) =>
  ensureStoredPdf(
    {
      storage: deps.storage,
      render: (logo) => renderQuote(deps, { drawing: quote.drawing, logo }, permit),
      record: (file) => deps.withTenant(quote.tenantId, (trx) => recordQuotePdf(trx, quote.quoteId, file)),
    },
    quote,
  );

interface QuoteDocument {
  readonly drawing: QuoteDrawing;
  readonly signed: SignedFile | undefined;
}

async function visibleDocument({ withTenant }: Deps, caller: Caller, quoteId: string): Promise<QuoteDocument> {
  const read = async (trx: TenantTransaction) => {
    const quote = await findVisibleQuote(trx, caller, quoteId);
    return { drawing: await drawingOf(trx, quote), signed: await readSignedFile(trx, quote) };
  };
  return withTenant(caller.tenantId, read, { isSnapshot: true });
}

/** Renders the PDF. Throws a 503 if it takes too long or too much memory. */
export async function renderQuote(
  { pdf }: Deps,
  { drawing, logo }: { drawing: QuoteDrawing; logo: Buffer | null },
  permit: PermitRequest,
): Promise<Buffer> {
  try {
    return await pdf.render(drawing, permit, logo);
  } catch (error) {
    throw error instanceof PdfFailed ? unavailable(error) : error;
  }
}

const filenameOf = ({ displayNumber }: QuoteDrawing): string => `${fileNameOf(displayNumber)}.pdf`;
