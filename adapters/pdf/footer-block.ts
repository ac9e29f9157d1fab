import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { Sheet } from './page-writer.ts';
import { capitals } from './plain-text.ts';
import { heightOf, type Line } from './typeset.ts';

/**
 * Notes of any length. Their heading never stands alone at the foot of a page, and short ones move to the next page as
 * a whole when the following block, `reserve` high, would otherwise be alone there.
 */
export function drawNotes(sheet: Sheet, title: string, notes: string, reserve: number): void {
  if (notes.trim() === '') return;
  const { type } = sheet;
  const { page, style } = sheet.look;
  const heading = type.line(capitals(title), style.label);
  const lines = type.lines(notes.trimEnd(), style.body, page.contentWidth);
  sheet.y += ABOVE;
  const whole = heading.height + 4 + heightOf(lines) + reserve;
  const least = whole <= sheet.freshRoom / 2 ? whole : heading.height + 4 + heightOf(lines.slice(0, 2));
  if (least > sheet.room()) sheet.breakPage();
  const { y } = sheet;
  sheet.tagged('H2', () => type.draw(heading, page.left, y));
  sheet.y += heading.height + 4;
  sheet.flow('P', lines);
}

/** Terms stand on a page of their own when they do not fit under what is before them. */
export function drawTerms(sheet: Sheet, terms: string | null, reserve: number): void {
  if (terms === null) return;
  const { type, texts, look } = sheet;
  const height = heightOf(type.lines(terms, look.style.body, look.page.contentWidth)) + ABOVE + reserve;
  if (height > sheet.room() && sheet.room() < sheet.freshRoom) sheet.breakPage();
  drawNotes(sheet, texts.quote.terms, terms, reserve);
}

/** An address that is safe in a link. Others are printed without a link. */
const PLAIN_ADDRESS = /^[\w.+-]+@[\w.-]+$/;

const ABOVE = 18;
const GAP = 3;

/** The measured lines: the contact, and the legal note. */
export interface Closing {
  readonly contact: readonly Line[];
  readonly address: string;
  readonly subject: string;
  readonly caveat: readonly Line[];
  readonly height: number;
}

export function measureClosing(
  { type, look, texts }: Sheet,
  { seller, displayNumber, signature }: QuoteDrawing,
): Closing {
  const { page, style } = look;
  const contactName = texts.quote.seller(seller.name);
  const whole = type.lines(`${contactName}  ·  ${seller.email}`, style.body, page.contentWidth);
  const apart = [contactName, seller.email];
  const contact = whole.length > 1 ? apart.flatMap((text) => type.lines(text, style.body, page.contentWidth)) : whole;
  const { notTaxDocument, numbered } = texts.quote;
  const smallPrint = signature?.certificate ? `${notTaxDocument} ${texts.document.seeLastPage}` : notTaxDocument;
  const caveat = type.lines(smallPrint, style.small, page.contentWidth);
  const subject = numbered(displayNumber);
  const height = ABOVE + heightOf(contact) + GAP + heightOf(caveat);
  return { contact, address: seller.email, subject, caveat, height };
}

export function drawClosing(sheet: Sheet, { contact, address, subject, caveat, height }: Closing): void {
  if (height > sheet.room()) sheet.breakPage();
  sheet.y += ABOVE;
  const [only] = contact;
  if (only && contact.length === 1 && PLAIN_ADDRESS.test(address)) {
    const paragraph = sheet.tag('P');
    const url = `mailto:${address}?subject=${encodeURIComponent(subject)}`;
    sheet.link(only, sheet.look.page.left, sheet.y, url, paragraph);
    paragraph.end();
    sheet.y += only.height;
  } else {
    sheet.flow('P', contact);
  }
  sheet.y += GAP;
  sheet.flow('P', caveat);
}

/** «Página 1 de 3» on every page, written once the last page is known. */
export function drawFooters(sheet: Sheet, { business, displayNumber }: QuoteDrawing): void {
  const { doc, type, footer, texts } = sheet;
  const { page, style } = sheet.look;
  const { start, count } = doc.bufferedPageRange();
  const y = page.height - 38;
  const [left] = type.lines(`${business.companyName}  ·  ${displayNumber}`, style.joined, page.contentWidth * 0.7, 1);
  for (let index = start; index < start + count; index += 1) {
    doc.switchToPage(index);
    const number = type.line(texts.document.page(index + 1, count), style.running);
    sheet.rule(y - 7 - heightOf(footer));
    sheet.decoration(() => {
      for (const [row, line] of footer.entries()) {
        type.draw(line, page.width / 2, y - 3 - heightOf(footer.slice(row)), 'center');
      }
      if (left) type.draw(left, page.left, y);
      type.draw(number, page.rightEdge, y, 'right');
    });
  }
}
