import { cleanLine } from '../../domain/clean-text.ts';
import { formatDay, formatUntil } from '../../domain/format.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { textsOf } from '../../domain/texts/texts.ts';
import type { MailMessage } from './message.ts';
import { quoteMailHtml } from './quote-mail-html.ts';
import { logoAttachment, quoteEnvelope, type QuoteMailParts, quoteMailText, quoteWords } from './quote-words.ts';

export interface FollowUpMailInput {
  readonly drawing: QuoteDrawing;
  readonly logo: Buffer | null;
  /** Address of the quote's page. */
  readonly portalUrl: string;
  /** From messageIdOf(): the same for each attempt. */
  readonly messageId: string;
  /** The Message-ID of the share. */
  readonly inReplyTo: string;
  readonly recipients?: QuoteMailParts['recipients'];
}

/**
 * Asks a client politely about a quote that is unanswered, in the thread of its share, with the ways to stop such mails.
 * Throws a TypeError without a recipient.
 */
export function composeFollowUpMail(input: FollowUpMailInput): MailMessage {
  const { drawing, logo, portalUrl, messageId, inReplyTo, recipients } = input;
  const { followUp, share } = textsOf(drawing.locale).mail;
  const common = quoteWords(drawing, { logo, portalUrl });
  const stopUrl = stopAddress(portalUrl);
  const words = {
    ...common,
    preheader: followUp.preheader(common.total, formatUntil(drawing.expiresAt, drawing)),
    introduction: followUp.introduction(drawing.displayNumber, formatDay(drawing.createdAt, drawing)),
    stop: { label: followUp.stop, url: stopUrl },
  };
  return {
    ...quoteEnvelope(drawing, recipients),
    // The subject of the share: mail programs that thread by subjects keep both together.
    subject: cleanLine(`Re: ${share.subject(drawing.displayNumber, drawing.business.companyName, common.total)}`),
    messageId,
    inReplyTo,
    unsubscribeUrl: stopUrl,
    isAutomatic: true,
    text: quoteMailText(words),
    html: quoteMailHtml(words),
    attachments: logoAttachment(logo),
  };
}

/** The page that stops automatic mails about the quote. */
const stopAddress = (portalUrl: string): string => `${portalUrl}/stop-reminders`;
