import type { EventQuote } from '../../domain/events.ts';
import { Quote } from '../models/quote.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { tenantOf } from '../with-tenant.ts';

/**
 * A quote with its lines, client and creator; undefined when there is none. Does not check whether the caller may see
 * it.
 */
export async function readFullQuote(trx: TenantTransaction, quoteId: string): Promise<FullQuote | undefined> {
  const quote = await Quote.query(trx)
    .findOne({ 'quotes.tenantId': tenantOf(trx), 'quotes.id': quoteId })
    .withGraphFetched('[items.product, attachments, client, user]');
  return quote && asFullQuote(quote);
}

/** A quote with its relations. */
export type FullQuote = Quote & Required<Pick<Quote, 'items' | 'attachments' | 'client' | 'user'>>;

/** Asserts that the relations were fetched. */
export function asFullQuote(quote: Quote): FullQuote {
  const { items, attachments, client, user } = quote;
  if (!items || !attachments || !client || !user) throw new Error('the relations of the quote were not fetched');
  return Object.assign(quote, { items, attachments, client, user });
}

/** The quote as events describe it. */
export const eventQuote = (quote: FullQuote): EventQuote => ({
  id: quote.id,
  quoteNumber: quote.quoteNumber,
  status: quote.status,
  total: quote.total,
  subtotal: quote.subtotal,
  tax: quote.tax,
  shippingCost: quote.shippingCost,
  version: quote.version,
  expiresAt: quote.expiresAt,
  displayNumber: quote.displayNumber,
  reference: quote.reference,
  metadata: quote.metadata,
  currency: quote.currency,
  notes: quote.notes,
  answeredAt: quote.answeredAt,
  signerName: quote.signerName,
  signerEmail: quote.signerEmail,
  rejectionReason: quote.rejectionReason,
  client: {
    id: quote.client.id,
    contactName: quote.client.contactName,
    companyName: quote.client.companyName,
    email: quote.client.email,
  },
  items: quote.items,
});
