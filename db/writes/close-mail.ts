import { Mail } from '../models/mail.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** Notes that a mail was sent, or why it was given up, and forgets its token. Safe to repeat: the first ending stays. */
export async function closeMail(trx: TenantTransaction, mailId: string, failure: string | null): Promise<void> {
  await Mail.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: mailId, status: 'PENDING' })
    .patch({ status: failure === null ? 'SENT' : 'FAILED', failure, tokenSealed: null, closedAt: new Date() });
}
