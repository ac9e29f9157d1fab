import { Quote } from '../models/quote.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** The client wants no further automatic mails about the quote: neither follow-ups nor the reminder. Safe to repeat. */
export async function stopReminders(trx: TenantTransaction, quoteId: string, now: Date): Promise<void> {
  await Quote.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: quoteId })
    .whereNull('remindersStoppedAt')
    .patch({ remindersStoppedAt: now });
}
