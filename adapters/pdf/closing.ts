import { type QuoteDrawing, quoteLabel } from '../../domain/quote-drawing.ts';
import { CONTENT_WIDTH, PAGE, STYLE } from './look.ts';
import type { Sheet } from './sheet.ts';
import { heightOf } from './typeset.ts';

const NOT_A_TAX_DOCUMENT = 'Esta cotización no es un comprobante fiscal.';

/** Notes, as long as they are; their heading never stands alone at the foot of a page. */
export function drawNotes(sheet: Sheet, notes: string): void {
  if (notes.trim() === '') return;
  const { type } = sheet;
  const heading = type.line('NOTAS', STYLE.label);
  const lines = type.lines(notes.trimEnd(), STYLE.body, CONTENT_WIDTH);
  sheet.y += 18;
  if (heading.height + 4 + heightOf(lines.slice(0, 2)) > sheet.room()) sheet.breakPage();
  const { y } = sheet;
  sheet.tagged('H2', () => type.draw(heading, PAGE.left, y));
  sheet.y += heading.height + 4;
  sheet.flow('P', lines);
}

/** Whom to ask, and what this paper is not. */
export function drawClosing(sheet: Sheet, { seller }: QuoteDrawing): void {
  const { type } = sheet;
  const contact = type.lines(`Atendido por ${seller.name}  ·  ${seller.email}`, STYLE.body, CONTENT_WIDTH, 2);
  const caveat = type.lines(NOT_A_TAX_DOCUMENT, STYLE.small, CONTENT_WIDTH);
  sheet.y += 18;
  if (heightOf(contact) + heightOf(caveat) + 3 > sheet.room()) sheet.breakPage();
  sheet.flow('P', contact);
  sheet.y += 3;
  sheet.flow('P', caveat);
}

/** «Página 1 de 3» on every page, written once the last page is known. */
export function drawFooters(sheet: Sheet, { business, quoteNumber }: QuoteDrawing): void {
  const { doc, type } = sheet;
  const { start, count } = doc.bufferedPageRange();
  const y = PAGE.height - 38;
  const [left] = type.lines(
    `${business.companyName}  ·  ${quoteLabel(quoteNumber)}`,
    STYLE.running,
    CONTENT_WIDTH * 0.7,
    1,
  );
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page);
    const number = type.line(`Página ${page + 1} de ${count}`, STYLE.running);
    sheet.rule(y - 7);
    sheet.decoration(() => {
      if (left) type.draw(left, PAGE.left, y);
      type.draw(number, PAGE.width - PAGE.right, y, 'right');
    });
  }
}
