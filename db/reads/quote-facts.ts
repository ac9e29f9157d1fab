import type { QuoteFacts } from '../../domain/events.ts';
import { Quote } from '../models/quote.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { tenantOf } from '../with-tenant.ts';

/** A quote with its lines, client and creator, or undefined. Whether a caller may see it is the caller's matter. */
export async function readFullQuote(trx: TenantTransaction, quoteId: string): Promise<FullQuote | undefined> {
  const quote = await Quote.query(trx)
    .findOne({ 'quotes.tenantId': tenantOf(trx), 'quotes.id': quoteId })
    .withGraphFetched('[items.product, client, user]');
  return quote && asFullQuote(quote);
}

/** A quote whose relations were fetched. */
export type FullQuote = Quote & Required<Pick<Quote, 'items' | 'client' | 'user'>>;

/** Checks what the query promised: the relations are there. */
export function asFullQuote(quote: Quote): FullQuote {
  const { items, client, user } = quote;
  if (!items || !client || !user) throw new Error('the relations of the quote were not fetched');
  return Object.assign(quote, { items, client, user });
}

/** What events say of a quote. */
export const quoteFacts = (quote: FullQuote): QuoteFacts => ({
  id: quote.id,
  quoteNumber: quote.quoteNumber,
  status: quote.status,
  total: quote.total,
  subtotal: quote.subtotal,
  currency: quote.currency,
  notes: quote.notes,
  client: {
    id: quote.client.id,
    contactName: quote.client.contactName,
    companyName: quote.client.companyName,
    email: quote.client.email,
  },
  items: quote.items,
});
