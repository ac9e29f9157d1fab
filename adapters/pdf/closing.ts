import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { PageWriter } from './page-writer.ts';
import { heightOf, type Line } from './typeset.ts';

/** Terms stand on a page of their own when they do not fit under what is before them. */
export function drawTerms(writer: PageWriter, terms: string | null, reserve: number): void {
  if (terms === null) return;
  const { type, texts, look } = writer;
  const height = heightOf(type.lines(terms, look.style.body, look.page.contentWidth)) + ABOVE + reserve;
  if (height > writer.room() && writer.room() < writer.freshRoom) writer.breakPage();
  drawNotes(writer, texts.quote.terms, terms, reserve);
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
  { type, look, texts }: PageWriter,
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

export function drawClosing(writer: PageWriter, { contact, address, subject, caveat, height }: Closing): void {
  if (height > writer.room()) writer.breakPage();
  writer.y += ABOVE;
  const [only] = contact;
  if (only && contact.length === 1 && PLAIN_ADDRESS.test(address)) {
    const paragraph = writer.tag('P');
    const url = `mailto:${address}?subject=${encodeURIComponent(subject)}`;
    writer.link(only, writer.look.page.left, writer.y, url, paragraph);
    paragraph.end();
    writer.y += only.height;
  } else {
    writer.flow('P', contact);
  }
  writer.y += GAP;
  writer.flow('P', caveat);
}

/** «Página 1 de 3» on every page, written once the last page is known. */
export function drawFooters(writer: PageWriter, { business, displayNumber }: QuoteDrawing): void {
  const { doc, type, footer, texts } = writer;
  const { page, style } = writer.look;
  const { start, count } = doc.bufferedPageRange();
  const y = page.height - 38;
  const [left] = type.lines(`${business.companyName}  ·  ${displayNumber}`, style.joined, page.contentWidth * 0.7, 1);
  for (let index = start; index < start + count; index += 1) {
    doc.switchToPage(index);
    const number = type.line(texts.document.page(index + 1, count), style.running);
    writer.rule(y - 7 - heightOf(footer));
    writer.decoration(() => {
      for (const [row, line] of footer.entries()) {
        type.draw(line, page.width / 2, y - 3 - heightOf(footer.slice(row)), 'center');
      }
      if (left) type.draw(left, page.left, y);
      type.draw(number, page.rightEdge, y, 'right');
    });
  }
}
