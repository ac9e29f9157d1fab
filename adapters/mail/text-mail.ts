import { cleanLine } from '../../domain/clean-text.ts';
import { html } from '../../domain/html.ts';
import type { Locale } from '../../domain/locale.ts';
import { FONT, mailPage } from './mail-page.ts';
import type { Mailbox, MailMessage } from './message.ts';

/** A mail that is only text: a user's, for example of an automation, or ours about the security of an account. */
export interface TextMailInput {
  readonly business: {
    readonly companyName: string;
    readonly address: string | null;
    readonly phone: string | null;
    readonly email: string | null;
    /** Declared as the language of the mail, because that of the entered text is unknown. */
    readonly locale: Locale;
  };
  readonly to: Mailbox;
  readonly replyTo: Mailbox | null;
  readonly subject: string;
  /** Plain text: an empty line between paragraphs. */
  readonly body: string;
  /** From messageIdOf(): the same for each attempt. */
  readonly messageId: string;
}

/**
 * The text as it is, and the same as HTML: paragraphs, line breaks, web addresses as links; markup in the text is
 * escaped.
 */
export function composeTextMail({ business, to, replyTo, subject, body, messageId }: TextMailInput): MailMessage {
  const companyName = cleanLine(business.companyName);
  const footer = [business.address, business.phone, business.email].flatMap((line) => (line ? [cleanLine(line)] : []));
  const text = body.replace(/\r\n?/g, '\n').trim();
  const paragraphs = text.split(/\n{2,}/);
  const rows = html`<tr>
    <td class="inner strong" style="${FONT};padding:20px 40px 32px;font-size:16px;line-height:24px;color:#1c2733">
      ${paragraphs.map((paragraph) => html`<p style="margin:0 0 12px">${lines(paragraph)}</p>`)}
    </td>
  </tr>`;
  return {
    locale: business.locale,
    fromName: companyName,
    to,
    replyTo,
    subject: cleanLine(subject),
    messageId,
    isAutomatic: true,
    text: `${[text, ['--', companyName, ...footer].join('\n')].join('\n\n')}\n`,
    html: mailPage({
      locale: business.locale,
      companyName,
      preheader: cleanLine(paragraphs[0] ?? '').slice(0, 140),
      rows,
      footer,
    }),
    attachments: [],
  };
}

const lines = (paragraph: string) =>
  paragraph.split('\n').map((line, i) => html`${i === 0 ? null : html`<br />`}${linked(line)}`);

/**
 * A text that begins with http:// or https:// becomes a link; a full stop or bracket after it belongs to the sentence.
 */
const linked = (line: string) =>
  line
    .split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/)
    .map((part, i) =>
      i % 2 === 1 ? html`<a href="${part}" style="color:#1d5fd1;word-break:break-all">${part}</a>` : html`${part}`,
    );
