import { cleanLine } from '../../domain/clean-text.ts';
import { accountLink } from '../../domain/account-links.ts';
import type { AccountMail } from '../../domain/account-mail.ts';
import { textsOf } from '../../domain/texts/texts.ts';
import { type AccountMailWords, accountMailHtml } from './account-mail-html.ts';
import type { MailMessage } from './message.ts';

export interface AccountMailInput {
  readonly mail: AccountMail;
  /** What the link proves: only the reader of the mail has it. */
  readonly token: string;
  /** PUBLIC_URL. */
  readonly publicUrl: string;
  /** From messageIdOf(): the same for each attempt. */
  readonly messageId: string;
}

/** A mail about a user's account, with a link that works once and its token as text. */
export function composeAccountMail({ mail, token, publicUrl, messageId }: AccountMailInput): MailMessage {
  const { kind, user, locale } = mail;
  const businessName = cleanLine(mail.businessName);
  const texts = textsOf(locale).mail;
  const wording = texts.account[kind];
  const expiry = texts.account.expiry(wording.life);
  const words: AccountMailWords = {
    locale,
    companyName: businessName,
    preheader: expiry,
    greeting: texts.greeting(cleanLine(user.name)),
    introduction: wording.introduction(businessName),
    button: { label: wording.button, url: accountLink(publicUrl, kind, token) },
    expiry,
    tokenLabel: texts.account.token,
    token,
    closing: wording.closing,
  };
  return {
    locale,
    fromName: businessName,
    to: { name: user.name, address: user.email },
    replyTo: null,
    subject: cleanLine(wording.subject(businessName)),
    messageId,
    isAutomatic: true,
    text: accountMailText(words),
    html: accountMailHtml(words),
    attachments: [],
  };
}

function accountMailText(words: AccountMailWords): string {
  const paragraphs = [
    words.greeting,
    words.introduction,
    `${words.button.label}:\n${words.button.url}`,
    words.expiry,
    `${words.tokenLabel}\n${words.token}`,
    words.closing,
    `--\n${words.companyName}`,
  ];
  return `${paragraphs.join('\n\n')}\n`;
}
