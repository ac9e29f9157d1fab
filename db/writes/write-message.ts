import { assertMayWrite, dayBegins, type MessageMailKind } from '../../domain/messages.ts';
import { newId } from '../ids.ts';
import { Mail } from '../models/mail.ts';
import { QuoteMessage } from '../models/quote-message.ts';
import { Tenant } from '../models/tenant.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { recordEvent } from './record-event.ts';

export type NewMessage = Pick<
  QuoteMessage,
  'quoteId' | 'direction' | 'userId' | 'authorName' | 'authorEmail' | 'body' | 'version' | 'createdAt'
>;

/**
 * Inserts a message, with a mail to each of these members, or to the client for null. Throws a 429 when the quote has had
 * its messages of the day. The caller holds the quote's lock, so that concurrent messages are counted one after the other.
 */
export async function writeMessage(
  trx: TenantTransaction,
  message: NewMessage,
  mails: { readonly kind: MessageMailKind; readonly userIds: readonly (string | null)[]; readonly requestId: string },
): Promise<QuoteMessage> {
  const tenantId = tenantOf(trx);
  const { quoteId, direction, createdAt: now } = message;
  const { timeZone } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  const today = await QuoteMessage.query(trx)
    .where({ tenantId, quoteId, direction })
    .where('createdAt', '>=', dayBegins(now, timeZone))
    .resultSize();
  assertMayWrite(direction, { today, now, timeZone });

  const written = await QuoteMessage.query(trx).insertAndFetch({ id: newId(), tenantId, ...message });
  const { kind, userIds, requestId } = mails;
  for (const userId of userIds) {
    const mailId = newId();
    await Mail.query(trx).insert({ id: mailId, tenantId, kind, userId, messageId: written.id });
    // The event's id is the mail's: the dispatcher needs nothing else.
    await recordEvent(trx, { id: mailId, type: 'mail.requested', data: { mailId }, requestId });
  }
  return written;
}
