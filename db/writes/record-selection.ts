import { isSelected } from '../../domain/quote-options.ts';
import type { FullQuote } from '../reads/full-quote.ts';
import type { TenantTransaction } from '../with-tenant.ts';

/** Notes on the lines of a quote which of its options count; the amounts are written with the quote. */
export async function recordSelection(trx: TenantTransaction, { tenantId, id, items }: FullQuote): Promise<void> {
  const selected = items.filter(isSelected).map((item) => item.id);
  await trx('quoteItems')
    .where({ tenantId, quoteId: id })
    .where((options) => void options.where('optional', true).orWhereNotNull('choice'))
    .update({ counts: trx.raw('id = any(?)', [selected]) });
}
