import type { QueryBuilder } from 'objection';
import { Quote } from '../models/quote.ts';
import type { QuoteLabel } from '../models/quote-label.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** Raises `updatedAt`, as callers read it, of quotes whose labels change: their own rows stay as they are. */
export async function markQuotesChanged(
  trx: TenantTransaction,
  quoteIds: readonly string[] | QueryBuilder<QuoteLabel>,
): Promise<void> {
  const tenantId = tenantOf(trx);
  // Locked in the order of their ids, so that two of these never wait for each other.
  const locked = Quote.query(trx)
    .where({ tenantId })
    .whereIn('id', 'length' in quoteIds ? [...quoteIds] : quoteIds)
    .orderBy('id')
    .forUpdate()
    .select('id');
  // The trigger sets the time of the database.
  await Quote.query(trx).where({ tenantId }).whereIn('id', locked).patch({ changedAt: new Date() });
}
