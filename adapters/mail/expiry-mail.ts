import { cleanLine } from '../../domain/clean-text.ts';
import { formatUntil } from '../../domain/format.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { textsOf } from '../../domain/texts/texts.ts';
import type { MailMessage } from './message.ts';
import { quoteMailHtml } from './quote-mail-html.ts';
import { logoAttachment, quoteEnvelope, type QuoteMailParts, quoteMailText, quoteWords } from './quote-words.ts';

export interface ExpiryMailInput extends QuoteMailParts {
  readonly drawing: QuoteDrawing;
  /** From messageIdOf(): the same for each attempt. */
  readonly messageId: string;
}

/**
 * Reminds a client that a quote expires; with a button to its page where there is one. Throws a
 * TypeError when the client has no address.
 */
export function composeExpiryMail({ drawing, messageId, ...parts }: ExpiryMailInput): MailMessage {
  const { logo = null, portalUrl, recipients } = parts;
  const { expiry } = textsOf(drawing.locale).mail;
  const common = quoteWords(drawing, parts);
  const label = drawing.displayNumber;
  const expires = formatUntil(drawing.expiresAt, drawing);
  const answer = portalUrl ? expiry.answerOnline : '';
  const words = {
    ...common,
    preheader: expiry.preheader(common.total),
    introduction: `${expiry.introduction(label, common.total, expires)}${answer}`,
  };
  return {
    ...quoteEnvelope(drawing, recipients),
    subject: cleanLine(expiry.subject(label, drawing.business.companyName, expires)),
    messageId,
    isAutomatic: true,
    text: quoteMailText(words),
    html: quoteMailHtml(words),
    attachments: logoAttachment(logo),
  };
}
