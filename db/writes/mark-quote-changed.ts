import { Quote } from '../models/quote.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** Raises the revision, and the `updatedAt` that callers read, of a quote whose labels changed: its own row stays as it is. */
export async function markQuoteChanged(trx: TenantTransaction, quoteId: string): Promise<void> {
  // The triggers set the time of the database, and raise the revision.
  await Quote.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: quoteId })
    .patch({ changedAt: new Date() });
}
