import { User } from '../../db/models/user.ts';
import { countMail } from '../../db/writes/count-mail.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { writeMessage } from '../../db/writes/write-message.ts';
import type { MessageWithMail } from '../../db/reads/messages.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { clientHasNoEmail } from '../../domain/errors.ts';
import { mailQuotaOf } from '../../domain/mail-quota.ts';
import type { Deps } from '../deps.ts';
import { lockVisibleQuote } from '../quotes/queries.ts';
import type { WriteMessage } from './schema.ts';

/** Writes to the client of a visible quote, in any of its states; the mail is sent after the transaction committed. */
export async function writeToClient(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  trx: TenantTransaction,
  caller: Caller,
  { quoteId, body: { body } }: { readonly quoteId: string; readonly body: WriteMessage },
): Promise<MessageWithMail> {
  const { tenantId, userId, requestId } = caller;
  const { version, client, quoteNumber } = await lockVisibleQuote(trx, caller, quoteId);
  if (!client.email) throw clientHasNoEmail();
  const author = await User.query(trx).findOne({ tenantId, id: userId }).throwIfNotFound();
  const message = await writeMessage(
    trx,
    {
      quoteId,
      direction: 'outbound',
      userId,
      authorName: author.name,
      authorEmail: author.email,
      body,
      version,
      createdAt: now(),
    },
    { kind: 'quote_message', userIds: [null], requestId },
  );
  // Last: a message that is refused does not count.
  await countMail(trx, mailQuotaOf(config));
  await recordAudit(trx, memberActor(caller), {
    action: 'message',
    entity: 'quote',
    entityId: quoteId,
    metadata: { quoteNumber, version, messageId: message.id },
  });
  const mailStatus: MessageWithMail['mailStatus'] = 'PENDING';
  return Object.assign(message, { mailStatus });
}
