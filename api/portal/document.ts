import { fingerprint } from '../../adapters/pdf/fingerprint.ts';
import { readLogo } from '../../adapters/pdf/logo.ts';
import { readSignedPdf } from '../../adapters/signed-pdf.ts';
import { readQuoteDrawing } from '../../db/reads/quote-drawing.ts';
import { signedFileOf } from '../../db/reads/signed-file.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { recordQuotePdf } from '../../db/writes/record-quote-pdf.ts';
import { quoteNotFound } from '../../domain/errors.ts';
import type { Locale } from '../../domain/locale.ts';
import { type QuoteDrawing, quoteLabel, quotePdfKey } from '../../domain/quote-drawing.ts';
import type { HandlerResult } from '../route.ts';
import type { Deps } from '../deps.ts';
import { renderQuote, storedOrDrawn } from '../quotes/pdf.ts';
import { withPortalQuote } from './find.ts';

/** The document that the client reads: the signed bytes, or else the current quote in the chosen language. */
export async function portalPdf(
  deps: Deps,
  { token, locale, signal }: { token: string; locale: Locale | undefined; signal: AbortSignal },
): Promise<HandlerResult> {
  const { drawing, signed, ...ids } = await withPortalQuote(deps, token, async (trx, { quote, signature }) => ({
    tenantId: quote.tenantId,
    quoteId: quote.id,
    drawing: await drawingOf(trx, quote.id, locale),
    signed: signature && (await signedFileOf(trx, signature)),
  }));
  const pdf = signed
    ? await readSignedPdf(deps.storage, signed, deps.reportLoss)
    : await storedOrDrawn(deps, { ...ids, signal }, drawing);
  const filename = `${quoteLabel(drawing.quoteNumber)}.pdf`;
  const headers = {
    'Content-Type': 'application/pdf',
    'Content-Disposition': `inline; filename="${filename}"`,
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex, nofollow',
  };
  return { status: 200, body: pdf, headers };
}

/** @param locale the language that the client chose; default: that of the client or business */
export async function drawingOf(trx: TenantTransaction, quoteId: string, locale?: Locale): Promise<QuoteDrawing> {
  const drawing = await readQuoteDrawing(trx, quoteId);
  if (!drawing) throw quoteNotFound();
  return locale ? { ...drawing, locale } : drawing;
}

/**
 * Draws it for an acceptance, with all that belongs to it, or says that the service is not available. An acceptance is
 * neither refused nor dropped because others draw.
 */
export const drawWhole = async (deps: Deps, tenantId: string, drawing: QuoteDrawing): Promise<Buffer> =>
  renderQuote(deps, { drawing, logo: await readLogo(deps.storage, drawing) }, { key: tenantId, wait: 'always' });

/**
 * The document as the client was shown it: the file that was mailed or linked, or else drawn now and kept, so that
 * whoever holds evidence of it can be given it.
 */
export async function shownPdf(
  deps: Deps,
  quote: { readonly tenantId: string; readonly quoteId: string },
  drawing: QuoteDrawing,
): Promise<Buffer> {
  const storageKey = quotePdfKey(quote, fingerprint(drawing));
  if (await deps.storage.exists(storageKey)) return deps.storage.get(storageKey);
  const pdf = await drawWhole(deps, quote.tenantId, drawing);
  // The row first: an object without one would never get it.
  await deps.withTenant(quote.tenantId, (trx) => recordQuotePdf(trx, quote.quoteId, { storageKey, pdf }));
  await deps.storage.put(storageKey, pdf, 'application/pdf');
  return pdf;
}
