import { composeChangeRequest, composeClientMessage } from '../adapters/mail/message-mail.ts';
import type { MailMessage } from '../adapters/mail/message.ts';
import { messageIdOf } from '../adapters/mail/quote-mail.ts';
import { readWaitingMessage } from '../db/reads/message-mail.ts';
import type { MailRef } from '../workflows/contract.ts';
import { mailLogo, portalAddress } from './client-mail.ts';
import type { ActivityDeps } from './deps.ts';

type MessageMailDeps = Pick<ActivityDeps, 'withTenant' | 'storage' | 'secrets' | 'publicUrl' | 'mailFrom'>;

/**
 * The pending mail of a message; undefined when it has ended or carries none, `recipient_gone` when the client's address was
 * removed or the member deactivated.
 */
export async function messageMail(
  { withTenant, storage, mailFrom, ...deps }: MessageMailDeps,
  { tenantId, mailId }: MailRef,
): Promise<MailMessage | 'recipient_gone' | undefined> {
  const mail = await withTenant(tenantId, (trx) => readWaitingMessage(trx, mailId), { isSnapshot: true });
  if (!mail) return undefined;
  const { message, drawing } = mail;
  const messageId = messageIdOf('message', mailId, mailFrom);
  if (mail.kind === 'change_request') {
    const { companyName } = drawing.business;
    return mail.to
      ? composeChangeRequest({
          business: { companyName, locale: mail.locale },
          to: mail.to,
          client: { name: drawing.client.contactName, address: drawing.client.email },
          label: drawing.displayNumber,
          version: message.version,
          typed: { name: message.authorName, email: message.authorEmail },
          body: message.body,
          messageId,
        })
      : 'recipient_gone';
  }
  if (drawing.client.email === null) return 'recipient_gone';
  return composeClientMessage({
    drawing,
    author: { name: message.authorName ?? drawing.seller.name, address: message.authorEmail ?? drawing.seller.email },
    body: message.body,
    logo: await mailLogo(storage, drawing),
    portalUrl: portalAddress(deps, message.quoteId, mail.sealedToken),
    messageId,
    inReplyTo: mail.shareId && messageIdOf('share', mail.shareId, mailFrom),
  });
}
