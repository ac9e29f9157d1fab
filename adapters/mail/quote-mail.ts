import { formatDate, formatMoney } from '../../domain/format.ts';
import { type QuoteDrawing, quoteLabel } from '../../domain/quote-drawing.ts';
import { textOn } from '../pdf/color.ts';
import type { MailColors } from './mail-page.ts';
import { headerText, type MailMessage } from './message.ts';
import { type QuoteMailWords, quoteMailHtml } from './quote-mail-html.ts';

export interface QuoteMailInput {
  readonly drawing: QuoteDrawing;
  readonly pdf: Buffer;
  /** PNG or JPEG; null shows the business's name instead. */
  readonly logo?: Buffer | null;
  /** Address of the quote's page for the client; null on a plan without one. */
  readonly portalUrl: string | null;
  /** From messageIdOf(): the same for each attempt at one share. */
  readonly messageId: string;
}

/** `<share.<id>@<domain of MAIL_FROM>>`: made from the share, so that a repeated attempt is the same message. */
export const messageIdOf = (kind: 'share' | 'account' | 'auto' | 'expiry', id: string, mailFrom: string): string =>
  `<${kind}.${id}@${mailFrom.slice(mailFrom.lastIndexOf('@') + 1)}>`;

/**
 * The mail in which a client gets a quote, in Mexican Spanish: the PDF attached, and a button to the quote's page
 * where there is one. Throws a TypeError when the client has no address; whoever sends has checked that before.
 */
export function composeQuoteMail({ drawing, pdf, logo = null, portalUrl, messageId }: QuoteMailInput): MailMessage {
  const { business, client, seller } = drawing;
  if (client.email === null) throw new TypeError('the client has no e-mail address');
  const label = quoteLabel(drawing.quoteNumber);
  const filename = `${label}.pdf`;
  const words = quoteMailWords(drawing, { portalUrl, filename, logoCid: logo && LOGO_CID });

  return {
    fromName: business.companyName,
    to: { name: client.contactName, address: client.email },
    replyTo: { name: seller.name, address: seller.email },
    subject: headerText(`Cotización ${label} de ${business.companyName}: ${words.total}`),
    messageId,
    text: quoteMailText(words),
    html: quoteMailHtml(words),
    attachments: [
      { filename, contentType: 'application/pdf', content: pdf },
      ...(logo ? [{ filename: 'logo.png', contentType: 'image/png', content: logo, cid: LOGO_CID }] : []),
    ],
  };
}

const LOGO_CID = 'logo';

/** The business's colours where it has chosen some. */
function colorsOf({ branding }: QuoteDrawing): MailColors | null {
  const ground = branding?.primaryColor ?? branding?.accentColor;
  return ground ? { ground, text: textOn(ground, '#17212b') } : null;
}

function quoteMailWords(
  drawing: QuoteDrawing,
  { portalUrl, filename, logoCid }: { portalUrl: string | null; filename: string; logoCid: string | null },
): QuoteMailWords {
  const { business, client, seller } = drawing;
  const label = quoteLabel(drawing.quoteNumber);
  const total = formatMoney(drawing.total, drawing.currency);
  const expires = formatDate(drawing.expiresAt);
  const update = drawing.version > 1 ? ` (versión ${drawing.version})` : '';

  return {
    companyName: oneLine(business.companyName),
    preheader: `Total ${total}. Vigente hasta el ${expires}.`,
    greeting: `Hola, ${oneLine(client.contactName)}:`,
    introduction: portalUrl
      ? `Le enviamos la cotización que preparamos para usted. Puede verla y responderla en línea; también va adjunta en PDF (${filename}).`
      : `Le enviamos la cotización que preparamos para usted. La encontrará adjunta en PDF (${filename}).`,
    facts: [
      ['Cotización', `${label}${update}`],
      ...(client.companyName ? [['Para', oneLine(client.companyName)] as const] : []),
      ['Fecha', formatDate(drawing.createdAt)],
      ['Vigente hasta', expires],
    ],
    total,
    button: portalUrl === null ? null : { label: 'Ver cotización', url: webAddress(portalUrl) },
    closing: `¿Tiene alguna duda o desea un cambio? Responda a este correo y ${oneLine(seller.name)} le atenderá.`,
    colors: colorsOf(drawing),
    logoCid,
    footer: [business.address, business.phone, business.email].flatMap((line) => (line ? [oneLine(line)] : [])),
  };
}

function quoteMailText(words: QuoteMailWords): string {
  const paragraphs = [
    words.greeting,
    words.introduction,
    [...words.facts, ['Total', words.total]].map(([name, value]) => `${name}: ${value}`).join('\n'),
    ...(words.button ? [`${words.button.label}:\n${words.button.url}`] : []),
    words.closing,
    ['--', words.companyName, ...words.footer].join('\n'),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

// In the text part a line break in a name could pass for a paragraph of ours.
const oneLine = headerText;

/** Only a web address becomes a link: the template escapes markup, but not javascript: and its like. */
function webAddress(url: string): string {
  if (!/^https?:\/\//.test(url)) throw new TypeError('a portal address must begin with http:// or https://');
  return url;
}
