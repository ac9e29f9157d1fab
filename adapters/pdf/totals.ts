import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { amount, amountWithCode, rate } from './format.ts';
import { COLOR, leading, PAGE, STYLE } from './look.ts';
import type { Sheet } from './sheet.ts';

const MIN_WIDTH = 220;
const EDGE = 8;
const ROW_GAP = 4;
const ABOVE = 10;
const ABOVE_TOTAL = 8;

const rowsOf = ({ subtotal, tax, taxRate, shippingCost, currency }: QuoteDrawing): readonly (readonly [string, string])[] => [
  ['Subtotal', amount(subtotal, currency)],
  [`IVA (${rate(taxRate)})`, amount(tax, currency)],
  ...(/[1-9]/.test(shippingCost) ? [['Envío', amount(shippingCost, currency)] as const] : []),
]; // prettier-ignore

/** Height of the block that `drawTotals` draws. */
export const totalsHeight = (drawing: QuoteDrawing): number =>
  ABOVE + rowsOf(drawing).length * (leading(STYLE.body) + ROW_GAP) + ABOVE_TOTAL + leading(STYLE.total) + 6;

/** Subtotal, tax, shipping and the total, at the right, on one page. */
export function drawTotals(sheet: Sheet, drawing: QuoteDrawing): void {
  const { type } = sheet;
  const right = PAGE.width - PAGE.right - EDGE;
  const total = {
    label: type.line('Total', STYLE.total),
    value: type.line(amountWithCode(drawing.total, drawing.currency), STYLE.total),
  };
  const left = right - Math.max(MIN_WIDTH, total.label.width + total.value.width + 32);

  const table = sheet.tag('Table');
  const drawPair = (label: ReturnType<typeof type.line>, value: ReturnType<typeof type.line>) => {
    const row = sheet.tag('TR', table);
    const { y } = sheet;
    sheet.tagged('TH', () => type.draw(label, left, y), row, { scope: 'Row' });
    sheet.tagged('TD', () => type.draw(value, right, y, 'right'), row);
    row.end();
  };

  sheet.y += ABOVE;
  for (const [label, value] of rowsOf(drawing)) {
    drawPair(type.line(label, { ...STYLE.body, color: COLOR.muted }), type.line(value, STYLE.body));
    sheet.y += leading(STYLE.body) + ROW_GAP;
  }
  sheet.rule(sheet.y + 1, { color: COLOR.accent, width: 1, from: left, to: right + EDGE });
  sheet.y += ABOVE_TOTAL;
  drawPair(total.label, total.value);
  sheet.y += leading(STYLE.total) + 6;
  table.end();
}
