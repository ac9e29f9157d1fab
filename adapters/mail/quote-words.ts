import { cleanLine, cleanText } from '../../domain/clean-text.ts';
import { formatDay, formatMoney, formatUntil } from '../../domain/format.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { depositTexts, sumRows } from '../../domain/quote-sums.ts';
import { DEFAULT_CODE } from '../../domain/taxes.ts';
import { legalIdentity, printedTaxId } from '../../domain/tax-id.ts';
import type { Locale } from '../../domain/locale.ts';
import { textsOf } from '../../domain/texts/texts.ts';
import { textOn } from '../pdf/color.ts';
import { logoGround } from '../pdf/logo-ground.ts';
import type { MailColors } from './mail-page.ts';
import type { Mailbox, MailMessage } from './message.ts';
import type { Fact, QuoteMailWords } from './quote-mail-html.ts';

/** What all mails to a client about a quote share. */

/** The inputs of the mail besides the quote itself. */
export interface QuoteMailParts {
  /** PNG or JPEG; null shows the business's name instead. */
  readonly logo?: Buffer | null;
  /** Address of the quote's page for the client; null on a plan without one. */
  readonly portalUrl: string | null;
  /** Without any, the mail goes to the client. */
  readonly recipients?: MailRecipients | undefined;
  /** The seller's own words, as plain text. */
  readonly message?: string | null;
}

/** `to` has at least one; a name may be empty. */
export interface MailRecipients {
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
}

const LOGO_CID = 'logo';

// In the text part a line break in a name could imitate a paragraph of ours.
const oneLine = cleanLine;

/** All texts except those for the purpose of this mail. */
export function quoteWords(
  drawing: QuoteDrawing,
  { logo = null, portalUrl, recipients, message }: QuoteMailParts,
): Omit<QuoteMailWords, 'preheader' | 'introduction'> {
  const { business, client, seller, locale } = drawing;
  const { quote, mail } = textsOf(locale);
  const clientTaxId = printedTaxId(client, locale);
  const update = drawing.version > 1 ? mail.versionSuffix(drawing.version) : '';
  return {
    locale,
    companyName: oneLine(business.companyName),
    greeting: greetingOf(recipients?.to ?? [{ name: client.contactName, address: '' }], locale),
    message: cleanText(message ?? '') || null,
    facts: [
      [quote.name, `${drawing.displayNumber}${update}`],
      ...(client.companyName ? [[quote.to, oneLine(client.companyName)] as const] : []),
      ...(clientTaxId ? [[mail.taxIdOfClient(clientTaxId[0]), oneLine(clientTaxId[1])] as const] : []),
      [quote.issued, formatDay(drawing.createdAt, drawing)],
      [quote.validUntil, formatUntil(drawing.expiresAt, drawing)],
      ...(drawing.title ? [[quote.item, oneLine(drawing.title)] as const] : []),
      ...(drawing.reference ? [[quote.reference, oneLine(drawing.reference)] as const] : []),
    ],
    sums: isPlain(drawing) ? [] : sumRows(drawing),
    totalLabel: quote.total,
    total: formatMoney(drawing.total, drawing.currency, locale),
    deposit: drawing.deposit && { name: quote.deposit, lines: depositTexts(drawing).map(oneLine) },
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

/** Whether the default tax is all that is between the lines and the total. */
const isPlain = ({ discount, taxes }: QuoteDrawing): boolean =>
  discount === null && taxes.every(({ code }) => code === DEFAULT_CODE);

/** By name only where a single person is addressed. */
function greetingOf([first, ...more]: readonly Mailbox[], locale: Locale): string {
  const { greeting, greetingToAll } = textsOf(locale).mail;
  const name = oneLine(first?.name ?? '');
  return name === '' || more.length > 0 ? greetingToAll : greeting(name);
}

/**
 * From the business to the recipients, or to its client, with replies to the seller. Throws a TypeError when there is no
 * address.
 */
export function quoteEnvelope(
  { business, client, seller, locale }: QuoteDrawing,
  recipients?: MailRecipients,
): Pick<MailMessage, 'locale' | 'fromName' | 'to' | 'alsoTo' | 'cc' | 'replyTo'> {
  const ofClient = client.email === null ? [] : [{ name: client.contactName, address: client.email }];
  const [to, ...alsoTo] = recipients?.to ?? ofClient;
  if (!to) throw new TypeError('the client has no e-mail address');
  return {
    locale,
    fromName: business.companyName,
    to,
    alsoTo,
    cc: recipients?.cc ?? [],
    replyTo: { name: seller.name, address: seller.email },
  };
}

/** The logo as an attachment that the HTML shows. */
export const logoAttachment = (logo: Buffer | null): MailMessage['attachments'] =>
  logo ? [{ filename: 'logo.png', contentType: 'image/png', content: logo, cid: LOGO_CID }] : [];

/** The text part: the same words in the same order as the HTML. */
export function quoteMailText(words: QuoteMailWords): string {
  const deposit: readonly Fact[] = words.deposit ? [[words.deposit.name, words.deposit.lines.join(' · ')]] : [];
  const paragraphs = [
    words.greeting,
    ...(words.message === null ? [] : [words.message]),
    words.introduction,
    [...words.facts, ...words.sums, [words.totalLabel, words.total], ...deposit]
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
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
