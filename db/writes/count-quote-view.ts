import { quotePayload } from '../../domain/events.ts';
import { Quote } from '../models/quote.ts';
import { quoteFacts, readFullQuote } from '../reads/quote-facts.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { recordEvent } from './record-event.ts';

/**
 * One view more of the client's page; of a quote that waits for an answer it is an event too (decisions, section 3).
 * `updatedAt` stays: nothing of the quote itself changed.
 */
export async function countQuoteView(
  trx: TenantTransaction,
  { tenantId, quoteId, requestId }: { tenantId: string; quoteId: string; requestId: string },
): Promise<void> {
  await Quote.query(trx).findOne({ tenantId, id: quoteId }).increment('viewCount', 1);
  const quote = await readFullQuote(trx, quoteId);
  if (quote?.status !== 'SENT') return;
  await recordEvent(trx, {
    type: 'quote.viewed',
    quoteId,
    data: { quote: quotePayload(quoteFacts(quote)) },
    requestId,
  });
}
