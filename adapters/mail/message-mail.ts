import { cleanLine } from '../../domain/clean-text.ts';
import { type Html, html } from '../../domain/html.ts';
import type { Locale } from '../../domain/locale.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { textsOf } from '../../domain/texts/texts.ts';
import { FONT, mailPage, PLAIN_COLORS } from './mail-page.ts';
import { buttonRow, openingRow } from './mail-rows.ts';
import type { Mailbox, MailMessage } from './message.ts';
import { logoAttachment, type QuoteMailParts, quoteEnvelope, quoteWords } from './quote-words.ts';

/** A message to the client of a quote. */
export interface ClientMessageInput extends QuoteMailParts {
  readonly drawing: QuoteDrawing;
  /** The member who wrote, who gets the reply. */
  readonly author: Mailbox;
  /** Plain text: an empty line between paragraphs. */
  readonly body: string;
  readonly messageId: string;
  /** The Message-ID of the last share, if there was one. */
  readonly inReplyTo: string | null;
}

/** What a member wrote, in the thread of the share. Throws a TypeError when the client has no address. */
export function composeClientMessage(input: ClientMessageInput): MailMessage {
  const { drawing, author, logo = null, portalUrl, messageId, inReplyTo } = input;
  const { share, closing } = textsOf(drawing.locale).mail;
  const words = quoteWords(drawing, { logo, portalUrl });
  const { companyName, colors, logoCid, logoGround, footer, button } = words;
  const end = closing(cleanLine(author.name));
  const subject = cleanLine(share.subject(drawing.displayNumber, drawing.business.companyName, words.total));
  return {
    ...quoteEnvelope(drawing),
    replyTo: author,
    subject: inReplyTo === null ? subject : `Re: ${subject}`,
    messageId,
    ...(inReplyTo !== null && { inReplyTo }),
    text: textOf([
      input.body,
      ...(button ? [`${button.label}:\n${button.url}`] : []),
      end,
      ['--', companyName, ...footer].join('\n'),
    ]),
    html: mailPage({
      locale: drawing.locale,
      companyName,
      preheader: preheaderOf(input.body),
      rows: html`${textRow(paragraphs(input.body))}${button && buttonRow(button, colors ?? PLAIN_COLORS)}${textRow(
        html`<p style="margin:0 0 12px">${end}</p>`,
      )}`,
      footer,
      colors,
      logoCid,
      logoGround,
    }),
    attachments: logoAttachment(logo),
  };
}

/** A change request, for a member. */
export interface ChangeRequestInput {
  readonly business: { readonly companyName: string; readonly locale: Locale };
  readonly to: Mailbox;
  /** The client on record, who gets the reply; null without an address. */
  readonly client: { readonly name: string; readonly address: string | null };
  readonly label: string;
  readonly version: number;
  /** As typed on the page. Only shown: anybody with the link can type any address. */
  readonly typed: { readonly name: string | null; readonly email: string | null };
  readonly body: string;
  readonly messageId: string;
}

/** Tells a member what a client wants to be changed. */
export function composeChangeRequest(input: ChangeRequestInput): MailMessage {
  const { business, to, client, label, version, typed, body, messageId } = input;
  const { mail } = textsOf(business.locale);
  const { changeRequest } = mail;
  const companyName = cleanLine(business.companyName);
  const clientName = cleanLine(client.name);
  const opening = {
    greeting: mail.greeting(cleanLine(to.name)),
    introduction: changeRequest.introduction(clientName, label, version),
  };
  const signed = [typed.name, typed.email].flatMap((part) => (part ? [cleanLine(part)] : [])).join(' · ');
  const origin = signed === '' ? null : changeRequest.typed(signed);
  const closing = client.address === null ? changeRequest.withoutAddress : changeRequest.closing(clientName);
  return {
    locale: business.locale,
    fromName: companyName,
    to,
    replyTo: client.address === null ? null : { name: client.name, address: client.address },
    subject: cleanLine(changeRequest.subject(clientName, label)),
    messageId,
    isAutomatic: true,
    text: textOf([
      opening.greeting,
      opening.introduction,
      body.replace(/^/gm, '> '),
      ...(origin ? [origin] : []),
      closing,
      `--\n${companyName}`,
    ]),
    html: mailPage({
      locale: business.locale,
      companyName,
      preheader: preheaderOf(body),
      rows: html`${openingRow(opening)}
        <tr>
          <td class="inner" style="padding:20px 40px 0">
            <div
              class="facts strong"
              style="${FONT};padding:16px 20px;font-size:16px;line-height:24px;color:#1c2733;background-color:#f5f7f9;border-radius:8px;word-break:break-word"
            >
              ${paragraphs(body)}
            </div>
          </td>
        </tr>
        ${textRow(
          html`${origin && html`<p class="soft" style="margin:0 0 12px;font-size:14px;color:#5b6670">${origin}</p>`}
            <p style="margin:0 0 12px">${closing}</p>`,
        )}`,
      footer: [],
    }),
    attachments: [],
  };
}

const textOf = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`;

const preheaderOf = (body: string): string => Array.from(cleanLine(body)).slice(0, 140).join('');

const textRow = (content: Html): Html =>
  html`<tr>
    <td
      class="inner strong"
      style="${FONT};padding:20px 40px 12px;font-size:16px;line-height:24px;color:#1c2733;word-break:break-word"
    >
      ${content}
    </td>
  </tr>`;

const paragraphs = (body: string): Html =>
  html`${body
    .trim()
    .split(/\n{2,}/)
    .map(
      (paragraph) =>
        html`<p style="margin:0 0 12px">
          ${paragraph.split('\n').map((line, index) => html`${index === 0 ? null : html`<br />`}${line}`)}
        </p>`,
    )}`;
