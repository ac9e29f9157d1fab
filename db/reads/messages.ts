import { QuoteMessage } from '../models/quote-message.ts';
import type { Mail } from '../models/mail.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** A message with the state of its mails; null without any. */
export interface MessageWithMail extends Pick<
  QuoteMessage,
  'id' | 'direction' | 'authorName' | 'authorEmail' | 'body' | 'version' | 'createdAt'
> {
  readonly mailStatus: Mail['status'] | null;
}

/** A page of a quote's messages, newest first, and their number. */
export async function pageOfMessages(
  trx: TenantTransaction,
  quoteId: string,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ readonly rows: readonly MessageWithMail[]; readonly total: number }> {
  const { results, total } = await QuoteMessage.query(trx)
    .where({ tenantId: tenantOf(trx), quoteId })
    .select('quoteMessages.*', mailStatus(trx))
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .page(page - 1, limit);
  // The statement above selects the status.
  return { rows: results as (QuoteMessage & MessageWithMail)[], total };
}

/** The client's last message about this version. */
export const lastChangeRequest = (
  trx: TenantTransaction,
  { quoteId, version }: { readonly quoteId: string; readonly version: number },
): Promise<QuoteMessage | undefined> =>
  QuoteMessage.query(trx)
    .where({ tenantId: tenantOf(trx), quoteId, version, direction: 'inbound' })
    .orderBy('createdAt', 'desc')
    .first()
    .then((message) => message);

// Of several mails, one to each owner: pending while one is, then sent if one was.
const mailStatus = (trx: TenantTransaction) =>
  trx.raw(`(select case when bool_or(m.status = 'PENDING') then 'PENDING' when bool_or(m.status = 'SENT') then 'SENT'
                        when count(*) > 0 then 'FAILED' end
              from mails m where m.tenant_id = quote_messages.tenant_id and m.message_id = quote_messages.id) as mail_status`);
