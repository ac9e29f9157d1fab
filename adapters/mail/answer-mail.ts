import type { Answer, AnswerMailKind } from '../../domain/answer.ts';
import { cleanLine } from '../../domain/clean-text.ts';
import { formatMoment } from '../../domain/format.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { fileNameOf } from '../../domain/quote-number.ts';
import { textsOf } from '../../domain/texts/texts.ts';
import type { Mailbox, MailMessage } from './message.ts';
import { quoteMailHtml } from './quote-mail-html.ts';
import { logoAttachment, quoteMailText, quoteWords } from './quote-words.ts';

export interface AnswerMailInput {
  readonly kind: AnswerMailKind;
  readonly answer: Answer;
  readonly drawing: QuoteDrawing;
  readonly to: Mailbox;
  /** The signed document; null for a rejection. */
  readonly pdf: Buffer | null;
  readonly logo: Buffer | null;
  /** From messageIdOf(): the same for each attempt. */
  readonly messageId: string;
}

/**
 * Tells a member of the business, or the signer, how the client answered; with the signed document of an acceptance.
 * Replies of a member go to the client, those of the signer to the seller.
 */
export function composeAnswerMail({ kind, answer, drawing, to, pdf, logo, messageId }: AnswerMailInput): MailMessage {
  const { mail } = textsOf(drawing.locale);
  const { business, client, seller, locale, displayNumber } = drawing;
  const common = quoteWords(drawing, { logo, portalUrl: null });
  const clientName = cleanLine(client.companyName ?? client.contactName);
  const isMember = kind === 'answer_member';
  const texts = isMember
    ? mail.answer[answer.outcome === 'ACCEPTED' ? 'accepted' : 'rejected'](displayNumber, clientName)
    : mail.answer.signed(displayNumber, cleanLine(business.companyName));
  const sellerBox = { name: seller.name, address: seller.email };
  const clientBox = client.email === null ? null : { name: client.contactName, address: client.email };
  const words = {
    ...common,
    greeting: mail.greeting(cleanLine(to.name)),
    preheader: mail.answer.preheader(common.total),
    introduction: texts.introduction,
    facts: [...answerFacts(answer, drawing), ...common.facts],
    closing: isMember ? mail.answer.memberClosing(clientBox && cleanLine(client.contactName)) : common.closing,
  };
  const signed = pdf && {
    filename: `${fileNameOf(displayNumber)}-${mail.answer.fileSuffix}.pdf`,
    contentType: 'application/pdf',
    content: pdf,
  };
  return {
    locale,
    fromName: business.companyName,
    to,
    replyTo: isMember ? (clientBox ?? sellerBox) : sellerBox,
    subject: cleanLine(texts.subject),
    messageId,
    isAutomatic: true,
    text: quoteMailText(words),
    html: quoteMailHtml(words),
    attachments: [...(signed ? [signed] : []), ...(logoAttachment(logo) ?? [])],
  };
}

/** When, by whom and why. */
function answerFacts(answer: Answer, drawing: QuoteDrawing): readonly (readonly [string, string])[] {
  const { facts } = textsOf(drawing.locale).mail.answer;
  const { signerName, signerEmail, reason } = answer;
  return [
    [answer.outcome === 'ACCEPTED' ? facts.accepted : facts.rejected, formatMoment(answer.at, drawing)],
    ...(signerName === null ? [] : [[facts.signer, cleanLine(`${signerName} (${signerEmail})`)] as const]),
    ...(reason === null ? [] : [[facts.reason, cleanLine(reason)] as const]),
  ];
}
