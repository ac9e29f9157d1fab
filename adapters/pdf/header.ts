import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { formatDay, formatUntil } from '../../domain/format.ts';
import type { HEADER_LAYOUTS } from '../../domain/settings.ts';
import { legalIdentity, taxIdLine } from '../../domain/tax-id.ts';

import type { Picture } from './picture.ts';
import type { PageWriter } from './page-writer.ts';
import { capitals } from './plain-text.ts';
import { type Align, heightOf, type Line } from './typeset.ts';

const GAP = 24;
const LEFT_SHARE = 0.54;
/** The logo is as large as fits, at most one point per pixel. */
const LOGO = { width: 190, height: 58, below: 9 } as const;

/** More lines than any real address has: a pasted page of text must not push the quote off the paper. */
const MAX_LINES = 10;

const present = (text: string | null): text is string => text !== null && text.trim() !== '';

type HeaderLayout = (typeof HEADER_LAYOUTS)[number];

/** The layout: the company's column with its side, and the narrower one with title and dates. */
interface Columns {
  readonly company: { readonly x: number; readonly width: number; readonly align: Align };
  readonly title: { readonly x: number; readonly align: Align };
  readonly narrow: number;
}

/** The seller, the quote's number, then the client and the expiry. */
export function drawHeader(writer: PageWriter, drawing: QuoteDrawing, logo: Picture | null): void {
  const { page, color } = writer.look;
  const layout = drawing.branding?.headerLayout ?? 'left';
  const columns = columnsOf(writer, layout);
  const number = writer.texts.quote.numbered(drawing.displayNumber);
  const title = fittingTitle(writer, number, columns.narrow);
  const top = writer.y;
  const companyBottom = drawCompany(writer, drawing, logo, columns.company);
  // A centred company leaves no room for the title beside it: the title stands above the dates.
  const beside = layout !== 'center';
  if (beside) writer.tagged('H1', () => writer.type.draw(title, columns.title.x, top, columns.title.align));
  writer.y = Math.max(companyBottom, beside ? top + title.height : 0) + 12;
  writer.rule(writer.y, { color: color.accent, width: 1.4 });
  writer.y += 16;
  const factsTop = writer.y;
  if (!beside) {
    writer.tagged('H1', () => writer.type.draw(title, page.rightEdge, factsTop - 4, 'right'));
  }
  drawClientAndDates(writer, drawing, beside ? 0 : title.height + 4);
  drawSubject(writer, drawing);
  writer.y += 18;
}

/** What the quote is about. */
function drawSubject(writer: PageWriter, { title }: QuoteDrawing): void {
  if (!present(title)) return;
  const { page, style } = writer.look;
  const lines = writer.type.lines(title, style.strong, page.contentWidth);
  const top = writer.y + 12;
  writer.tagged('P', () => stack(writer, lines, page.left, top, 'left'));
  writer.y = top + heightOf(lines);
}

function columnsOf({ look: { page } }: PageWriter, layout: HeaderLayout): Columns {
  const wide = page.contentWidth * LEFT_SHARE;
  const narrow = page.contentWidth - wide - GAP;
  const atRight = { x: page.rightEdge, align: 'right' } as const;
  const atLeft = { x: page.left, align: 'left' } as const;
  const inMiddle = { x: page.width / 2, width: page.contentWidth * 0.8, align: 'center' } as const;
  return {
    left: { company: { ...atLeft, width: wide }, title: atRight, narrow },
    center: { company: inMiddle, title: atRight, narrow },
    right: { company: { ...atRight, width: wide }, title: atLeft, narrow },
  }[layout];
}

/** Returns where the block ends. */
function drawCompany(
  writer: PageWriter,
  { business, locale }: QuoteDrawing,
  logo: Picture | null,
  { x, width, align }: Columns['company'],
): number {
  const { type, texts } = writer;
  const { style } = writer.look;
  let { y } = writer;
  if (logo) {
    const size = logo.fit(LOGO.width, LOGO.height);
    const left = x - { left: 0, center: size.width / 2, right: size.width }[align];
    const top = y;
    const draw = () => logo.draw(left, top, size);
    writer.tagged('Figure', draw, undefined, { alt: texts.document.logoOf(business.companyName) });
    y += size.height + LOGO.below;
  }
  const contact = [business.phone, business.email].filter(present);
  const together = contact.join('  ·  ');
  const isOneLine = type.lines(together, style.small, width).length === 1;
  const nameStyle = logo ? { ...style.company, size: 12.5 } : style.company;
  const large = type.lines(business.companyName, nameStyle, width);
  const company = large.length > 3 ? type.lines(business.companyName, style.strong, width) : large;
  const details = [...legalIdentity(business, locale), business.address, ...(isOneLine ? [together] : contact)]
    .filter(present)
    .flatMap((text) => type.lines(text, style.small, width, MAX_LINES));
  const [companyTop, detailsTop] = [y, y + heightOf(company) + 3];
  writer.tagged('P', () => stack(writer, company, x, companyTop, align));
  writer.tagged('P', () => stack(writer, details, x, detailsTop, align));
  return detailsTop + heightOf(details);
}

/** A number of many digits makes the title smaller, not wider than its column. */
function fittingTitle({ type, look }: PageWriter, text: string, width: number): Line {
  const style = look.style.title;
  const title = type.line(text, style);
  if (title.width <= width) return title;
  return type.line(text, { ...style, size: (style.size * width) / title.width });
}

/** `lower`: how much lower than the client the dates start. */
function drawClientAndDates(writer: PageWriter, drawing: QuoteDrawing, lower: number): void {
  const { client, createdAt, expiresAt, version, currency, locale, reference } = drawing;
  const { type } = writer;
  const { quote } = writer.texts;
  const { page, style } = writer.look;
  const wide = page.contentWidth * LEFT_SHARE;
  const name = present(client.companyName) ? client.companyName : client.contactName;
  const contact = present(client.companyName) ? client.contactName : null;
  const rest = [contact, taxIdLine(client, locale), client.address, client.email, client.phone].filter(present);
  const who = [
    ...type.lines(name, style.strong, wide),
    ...rest.flatMap((text) => type.lines(text, style.body, wide, MAX_LINES)),
  ];
  const facts = [
    [quote.issued, formatDay(createdAt, drawing)],
    [quote.validUntil, formatUntil(expiresAt, drawing)],
    [quote.currency, currency],
    ...(version > 1 ? [[quote.version, String(version)]] : []),
    ...(present(reference) ? [[quote.reference, reference]] : []),
  ].map(([name = '', value = '']) => {
    const label = type.line(`${name} `, style.rowLabel);
    return { label, value: type.lines(value, style.body, page.contentWidth - wide - GAP - label.width) };
  });

  const top = writer.y;
  const heading = type.line(capitals(quote.to), style.label);
  writer.tagged('H2', () => type.draw(heading, page.left, top));
  const whoTop = top + heading.height + 3;
  writer.tagged('P', () => stack(writer, who, page.left, whoTop, 'left'));

  let y = top + lower;
  for (const { label, value } of facts) {
    writer.tagged('P', () => {
      type.draw(label, page.left + wide + GAP, y);
      stack(writer, value, page.rightEdge, y, 'right');
    });
    y += heightOf(value) + 3;
  }
  writer.y = Math.max(whoTop + heightOf(who), y);
}

function stack(writer: PageWriter, lines: readonly Line[], x: number, top: number, align: Align): void {
  let y = top;
  for (const line of lines) {
    writer.type.draw(line, x, y, align);
    y += line.height;
  }
}
