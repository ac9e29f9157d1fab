import { fingerprint } from '../../adapters/pdf/fingerprint.ts';
import { readLogo } from '../../adapters/pdf/logo.ts';
import { StorageUnavailable } from '../../adapters/storage.ts';
import { drawingOf } from '../../db/reads/quote-drawing.ts';
import { recordQuotePdf } from '../../db/writes/record-quote-pdf.ts';
import type { Caller } from '../../domain/caller.ts';
import { unavailable } from '../../domain/errors.ts';
import { type QuoteDrawing, quoteLabel, quotePdfKey } from '../../domain/quote-drawing.ts';
import { PdfFailed } from '../../adapters/pdf/renderer.ts';
import type { Deps } from '../deps.ts';
import { findVisibleQuote } from './queries.ts';

/** The quote's PDF, drawn now from current data; without the logo while storage is away. */
export async function drawQuote(
  deps: Deps,
  caller: Caller,
  quoteId: string,
): Promise<{ pdf: Buffer; filename: string }> {
  const drawing = await visibleDrawing(deps, caller, quoteId);
  const logo = await readLogo(deps.storage, drawing).catch(nullWhenAway);
  return { pdf: await renderQuote(deps, drawing, logo), filename: filenameOf(drawing) };
}

/** A link to the stored PDF, valid for 15 minutes. What is stored already is not drawn again. */
export async function linkToQuotePdf(deps: Deps, caller: Caller, quoteId: string): Promise<string> {
  const { tenantId } = caller;
  const drawing = await visibleDrawing(deps, caller, quoteId);
  const storageKey = quotePdfKey({ tenantId, quoteId }, fingerprint(drawing));
  // Outside of any transaction: rendering and uploading take their time.
  if (!(await deps.storage.exists(storageKey))) {
    const pdf = await renderQuote(deps, drawing, await readLogo(deps.storage, drawing));
    // The row first: an object without one would never get it, while a row without its object gets it next time.
    await deps.withTenant(tenantId, (trx) => recordQuotePdf(trx, quoteId, { storageKey, pdf }));
    await deps.storage.put(storageKey, pdf, 'application/pdf');
  }
  return deps.storage.presignedUrl(storageKey, { filename: filenameOf(drawing), contentType: 'application/pdf' });
}

async function visibleDrawing({ withTenant }: Deps, caller: Caller, quoteId: string): Promise<QuoteDrawing> {
  return withTenant(caller.tenantId, async (trx) => drawingOf(trx, await findVisibleQuote(trx, caller, quoteId)), {
    isSnapshot: true,
  });
}

/** The bytes; a drawing that takes too long or too much memory is a 503. */
export async function renderQuote({ pdf }: Deps, drawing: QuoteDrawing, logo: Buffer | null): Promise<Buffer> {
  try {
    return await pdf.render(drawing, logo);
  } catch (error) {
    throw error instanceof PdfFailed ? unavailable(error) : error;
  }
}

/** For what a document can do without while the storage is away. */
export function nullWhenAway(error: unknown): null {
  if (error instanceof StorageUnavailable) return null;
  throw error;
}

const filenameOf = ({ quoteNumber }: QuoteDrawing): string => `${quoteLabel(quoteNumber)}.pdf`;
