import { quotePayload } from '../../domain/events.ts';
import { Quote } from '../models/quote.ts';
import { eventQuote, readFullQuote } from '../reads/full-quote.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { claimQuoteView } from './claim-quote-view.ts';
import { recordEvent } from './record-event.ts';

/**
 * One view more of the client's page, unless this viewer had one counted within the last hour; of a quote that waits for an
 * answer it is an event too. `updatedAt` stays: nothing of the quote itself changed. Returns whether the view was counted.
 */
export async function countQuoteView(
  trx: TenantTransaction,
  { tenantId, quoteId, viewer, requestId }: { tenantId: string; quoteId: string; viewer: string; requestId: string },
): Promise<boolean> {
  if (!(await claimQuoteView(trx, { quoteId, viewer }))) return false;
  await Quote.query(trx).findOne({ tenantId, id: quoteId }).increment('viewCount', 1);
  const quote = await readFullQuote(trx, quoteId);
  if (quote?.status !== 'SENT') return true;
  await recordEvent(trx, {
    type: 'quote.viewed',
    quoteId,
    data: { quote: quotePayload(eventQuote(quote)) },
    requestId,
  });
  return true;
}
