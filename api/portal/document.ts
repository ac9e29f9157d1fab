import { readLogo } from '../../adapters/pdf/logo.ts';
import { readSignedPdf } from '../../adapters/signed-pdf.ts';
import type { FullQuote } from '../../db/reads/full-quote.ts';
import { drawingOf } from '../../db/reads/quote-drawing.ts';
import { signedFileOf } from '../../db/reads/signed-file.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Locale } from '../../domain/locale.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { fileNameOf } from '../../domain/quote-number.ts';
import type { HandlerResult } from '../route.ts';
import type { Deps } from '../deps.ts';
import { renderQuote, storedOrDrawn, storeQuotePdf } from '../quotes/pdf.ts';
import { withPortalQuote } from './find.ts';

/** The client's document: the signed bytes, or else the current quote in the chosen language. */
export async function portalPdf(
  deps: Deps,
  { token, locale, signal }: { token: string; locale: Locale | undefined; signal: AbortSignal },
): Promise<HandlerResult<Buffer, 200>> {
  const { drawing, signed, ...ids } = await withPortalQuote(deps, token, async (trx, { quote, signature }) => ({
    tenantId: quote.tenantId,
    quoteId: quote.id,
    drawing: await drawingFor(trx, quote, locale),
    signed: signature && (await signedFileOf(trx, signature)),
  }));
  const pdf = signed
    ? await readSignedPdf(deps.storage, signed, deps.reportLoss)
    : await storedOrDrawn(deps, { ...ids, signal }, drawing);
  const filename = `${fileNameOf(drawing.displayNumber)}.pdf`;
  const headers = {
    'Content-Type': 'application/pdf',
    'Content-Disposition': `inline; filename="${filename}"`,
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex, nofollow',
  };
  return { status: 200, body: pdf, headers };
}

/** @param locale the language that the client chose; else the document's own */
export async function drawingFor(
  trx: TenantTransaction,
  quote: FullQuote,
  locale: Locale | undefined,
): Promise<QuoteDrawing> {
  const drawing = await drawingOf(trx, quote);
  return locale ? { ...drawing, locale } : drawing;
}

/**
 * Draws the document for an acceptance with its logo, or throws `unavailable`. An acceptance always waits in the
 * queue and is not refused under load.
 */
export const drawWhole = async (deps: Deps, tenantId: string, drawing: QuoteDrawing): Promise<Buffer> =>
  renderQuote(deps, { drawing, logo: await readLogo(deps.storage, drawing) }, permitOf(tenantId));

const permitOf = (key: string) => ({ key, wait: 'always' }) as const;

/**
 * The document as shown to the client: the file that was mailed or linked, or else a new drawing, which is stored
 * because the evidence refers to it.
 */
export async function shownPdf(
  deps: Deps,
  quote: { readonly tenantId: string; readonly quoteId: string },
  drawing: QuoteDrawing,
): Promise<Buffer> {
  const { storageKey, drawn } = await storeQuotePdf(deps, { ...quote, drawing }, permitOf(quote.tenantId));
  return drawn ?? deps.storage.get(storageKey);
}
