import { cleanLine } from '../../domain/clean-text.ts';
import { formatDay, formatMoney, formatUntil } from '../../domain/format.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { depositTexts, sumRows } from '../../domain/quote-sums.ts';
import { DEFAULT_CODE } from '../../domain/taxes.ts';
import { legalIdentity, printedTaxId } from '../../domain/tax-id.ts';
import { textsOf } from '../../domain/texts/texts.ts';
import { textOn } from '../pdf/color.ts';
import { logoGround } from '../pdf/logo-ground.ts';
import type { MailColors } from './mail-page.ts';
import type { MailMessage } from './message.ts';
import type { QuoteMailWords } from './quote-mail-html.ts';

/** What all mails to a client about a quote share. */

/** The inputs of the mail besides the quote itself. */
export interface QuoteMailParts {
  /** PNG or JPEG; null shows the business's name instead. */
  readonly logo?: Buffer | null;
  /** Address of the quote's page for the client; null on a plan without one. */
  readonly portalUrl: string | null;
}

const LOGO_CID = 'logo';

// In the text part a line break in a name could imitate a paragraph of ours.
const oneLine = cleanLine;

/** All texts except those for the purpose of this mail. */
export function quoteWords(
  drawing: QuoteDrawing,
  { logo = null, portalUrl }: QuoteMailParts,
): Omit<QuoteMailWords, 'preheader' | 'introduction'> {
  const { business, client, seller, locale } = drawing;
  const { quote, mail } = textsOf(locale);
  const clientTaxId = printedTaxId(client, locale);
  const update = drawing.version > 1 ? mail.versionSuffix(drawing.version) : '';
  return {
    locale,
    companyName: oneLine(business.companyName),
    greeting: mail.greeting(oneLine(client.contactName)),
    facts: [
      [quote.name, `${drawing.displayNumber}${update}`],
      ...(client.companyName ? [[quote.to, oneLine(client.companyName)] as const] : []),
      ...(clientTaxId ? [[mail.taxIdOfClient(clientTaxId[0]), oneLine(clientTaxId[1])] as const] : []),
      [quote.issued, formatDay(drawing.createdAt, drawing)],
      [quote.validUntil, formatUntil(drawing.expiresAt, drawing)],
      ...(drawing.title ? [[quote.item, oneLine(drawing.title)] as const] : []),
      ...(drawing.reference ? [[quote.reference, oneLine(drawing.reference)] as const] : []),
      ...breakdownOf(drawing),
    ],
    totalLabel: quote.total,
    total: formatMoney(drawing.total, drawing.currency, locale),
    button: portalUrl === null ? null : { label: mail.viewQuote, url: webAddress(portalUrl) },
    closing: mail.closing(oneLine(seller.name)),
    colors: colorsOf(drawing),
    logoCid: logo && LOGO_CID,
    logoGround: logoGround(drawing.branding),
    footer: [...legalIdentity(business, locale), business.address, business.phone, business.email].flatMap((line) =>
      line ? [oneLine(line)] : [],
    ),
  };
}

/** The sums, unless the quote has the default tax alone; and the deposit. */
function breakdownOf(drawing: QuoteDrawing): readonly (readonly [string, string])[] {
  const isPlain = drawing.discount === null && drawing.taxes.every(({ code }) => code === DEFAULT_CODE);
  const deposit = depositTexts(drawing).map(oneLine).join(' · ');
  return [
    ...(isPlain ? [] : sumRows(drawing)),
    ...(deposit === '' ? [] : [[textsOf(drawing.locale).quote.deposit, deposit] as const]),
  ];
}

/** From the business to its client, with replies to the seller. Throws a TypeError when the client has no address. */
export function quoteEnvelope({
  business,
  client,
  seller,
  locale,
}: QuoteDrawing): Pick<MailMessage, 'locale' | 'fromName' | 'to' | 'replyTo'> {
  if (client.email === null) throw new TypeError('the client has no e-mail address');
  return {
    locale,
    fromName: business.companyName,
    to: { name: client.contactName, address: client.email },
    replyTo: { name: seller.name, address: seller.email },
  };
}

/** The logo as an attachment that the HTML shows. */
export const logoAttachment = (logo: Buffer | null): MailMessage['attachments'] =>
  logo ? [{ filename: 'logo.png', contentType: 'image/png', content: logo, cid: LOGO_CID }] : [];

/** The text part: the same words in the same order as the HTML. */
export function quoteMailText(words: QuoteMailWords): string {
  const paragraphs = [
    words.greeting,
    words.introduction,
    [...words.facts, [words.totalLabel, words.total]].map(([name, value]) => `${name}: ${value}`).join('\n'),
    ...(words.button ? [`${words.button.label}:\n${words.button.url}`] : []),
    words.closing,
    ...(words.stop ? [`${words.stop.label}:\n${words.stop.url}`] : []),
    ['--', words.companyName, ...words.footer].join('\n'),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

/** The business's colours, if it has chosen any. */
function colorsOf({ branding }: QuoteDrawing): MailColors | null {
  const ground = branding?.primaryColor ?? branding?.accentColor;
  return ground ? { ground, text: textOn(ground, '#17212b') } : null;
}

/** Only a web address becomes a link: the template escapes markup, but not schemes such as javascript:. */
function webAddress(url: string): string {
  if (!/^https?:\/\//.test(url)) throw new TypeError('a portal address must begin with http:// or https://');
  return url;
}
