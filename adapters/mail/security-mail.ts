import { cleanLine } from '../../domain/clean-text.ts';
import { formatMoment } from '../../domain/format.ts';
import type { SecurityMail } from '../../domain/security-mail.ts';
import { textsOf } from '../../domain/texts/texts.ts';
import type { MailMessage } from './message.ts';
import { composeTextMail } from './text-mail.ts';

/** A mail that tells a user what changed in the security of the account, when and from where, and what to do about it. */
export function composeSecurityMail(mail: SecurityMail, messageId: string): MailMessage {
  const { kind, user, locale, at, ip } = mail;
  const businessName = cleanLine(mail.businessName);
  const texts = textsOf(locale).mail;
  const wording = texts.security[kind](businessName, cleanLine(mail.subject ?? ''));
  const paragraphs = [
    texts.greeting(cleanLine(user.name)),
    wording.introduction,
    texts.security.when(formatMoment(at, mail), ip ?? null),
    wording.advice,
  ];
  return composeTextMail({
    business: { companyName: businessName, locale, address: null, phone: null, email: null },
    to: { name: user.name, address: user.email },
    replyTo: null,
    subject: wording.subject,
    body: paragraphs.join('\n\n'),
    messageId,
  });
}
