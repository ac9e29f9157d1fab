import { type QuoteDrawing, quoteLabel } from '../../domain/quote-drawing.ts';
import type { Sheet } from './sheet.ts';
import { heightOf } from './typeset.ts';

const NOT_A_TAX_DOCUMENT = 'Esta cotización no es un comprobante fiscal.';

/** Notes, as long as they are; their heading never stands alone at the foot of a page. */
export function drawNotes(sheet: Sheet, notes: string): void {
  if (notes.trim() === '') return;
  const { type } = sheet;
  const { page, style } = sheet.look;
  const heading = type.line('NOTAS', style.label);
  const lines = type.lines(notes.trimEnd(), style.body, page.contentWidth);
  sheet.y += 18;
  if (heading.height + 4 + heightOf(lines.slice(0, 2)) > sheet.room()) sheet.breakPage();
  const { y } = sheet;
  sheet.tagged('H2', () => type.draw(heading, page.left, y));
  sheet.y += heading.height + 4;
  sheet.flow('P', lines);
}

/** An address that can stand in a link as it is. Others are written, but cannot be pressed. */
const PLAIN_ADDRESS = /^[\w.+-]+@[\w.-]+$/;

/** Whom to ask, and what this paper is not. */
export function drawClosing(sheet: Sheet, { seller, quoteNumber }: QuoteDrawing): void {
  const { type } = sheet;
  const { page, style } = sheet.look;
  const contact = type.lines(`Atendido por ${seller.name}  ·  ${seller.email}`, style.body, page.contentWidth, 2);
  const caveat = type.lines(NOT_A_TAX_DOCUMENT, style.small, page.contentWidth);
  sheet.y += 18;
  if (heightOf(contact) + heightOf(caveat) + 3 > sheet.room()) sheet.breakPage();
  const [only] = contact;
  if (only && contact.length === 1 && PLAIN_ADDRESS.test(seller.email)) {
    const paragraph = sheet.tag('P');
    const subject = encodeURIComponent(`Cotización ${quoteLabel(quoteNumber)}`);
    sheet.link(only, page.left, sheet.y, `mailto:${seller.email}?subject=${subject}`, paragraph);
    paragraph.end();
    sheet.y += only.height;
  } else {
    sheet.flow('P', contact);
  }
  sheet.y += 3;
  sheet.flow('P', caveat);
}

/** «Página 1 de 3» on every page, written once the last page is known. */
export function drawFooters(sheet: Sheet, { business, quoteNumber }: QuoteDrawing): void {
  const { doc, type, footer } = sheet;
  const { page, style } = sheet.look;
  const { start, count } = doc.bufferedPageRange();
  const y = page.height - 38;
  const [left] = type.lines(
    `${business.companyName}  ·  ${quoteLabel(quoteNumber)}`,
    style.running,
    page.contentWidth * 0.7,
    1,
  );
  for (let index = start; index < start + count; index += 1) {
    doc.switchToPage(index);
    const number = type.line(`Página ${index + 1} de ${count}`, style.running);
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
