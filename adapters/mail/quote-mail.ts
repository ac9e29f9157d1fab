import { cleanLine } from '../../domain/clean-text.ts';
import { formatUntil } from '../../domain/format.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { fileNameOf } from '../../domain/quote-number.ts';
import { textsOf } from '../../domain/texts/texts.ts';
import type { MailMessage } from './message.ts';
import { quoteMailHtml, type QuoteMailWords } from './quote-mail-html.ts';
import { logoAttachment, quoteEnvelope, type QuoteMailParts, quoteMailText, quoteWords } from './quote-words.ts';

export interface QuoteMailInput extends QuoteMailParts {
  readonly drawing: QuoteDrawing;
  readonly pdf: Buffer;
  /** From messageIdOf(): the same for each attempt at one share. */
  readonly messageId: string;
}

/** `<share.<id>@<domain of MAIL_FROM>>`: derived from the share, so that a repeated attempt is the same message. */
export const messageIdOf = (
  kind: 'share' | 'account' | 'auto' | 'expiry' | 'followup' | 'message' | 'answer',
  id: string,
  mailFrom: string,
): string => `<${kind}.${id}@${mailFrom.slice(mailFrom.lastIndexOf('@') + 1)}>`;

/** What the mail says and to whom, without its documents. */
export function quoteMailContent(drawing: QuoteDrawing, parts: QuoteMailParts) {
  const { share } = textsOf(drawing.locale).mail;
  const common = quoteWords(drawing, parts);
  const label = drawing.displayNumber;
  const words: QuoteMailWords = {
    ...common,
    preheader: share.preheader(common.total, formatUntil(drawing.expiresAt, drawing)),
    introduction: parts.portalUrl ? share.withPage : share.withoutPage,
  };
  return {
    envelope: quoteEnvelope(drawing, parts.recipients),
    subject: cleanLine(share.subject(label, drawing.business.companyName, words.total)),
    filename: `${fileNameOf(label)}.pdf`,
    words,
    text: quoteMailText(words),
  };
}

/**
 * The mail with which a client, or the recipients that the seller chose, get a quote: the PDF attached, and a button to
 * the quote's page where there is one. Throws a TypeError when there is no address, which the caller must check before.
 */
export function composeQuoteMail({ drawing, pdf, messageId, ...parts }: QuoteMailInput): MailMessage {
  const { envelope, subject, filename, words, text } = quoteMailContent(drawing, parts);
  return {
    ...envelope,
    subject,
    messageId,
    text,
    html: quoteMailHtml(words),
    attachments: [{ filename, contentType: 'application/pdf', content: pdf }, ...logoAttachment(parts.logo ?? null)],
  };
}
