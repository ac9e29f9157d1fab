import { amountInWords } from '../../domain/amount-in-words.ts';
import { accountOf } from '../../domain/clabe.ts';
import { formatMoney } from '../../domain/format.ts';
import { depositTexts, sumRows } from '../../domain/quote-sums.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { Texts } from '../../domain/texts/texts.ts';
import { balancedLines } from './balance.ts';
import { leading } from './theme.ts';
import type { PageWriter, Tag } from './page-writer.ts';
import { capitals } from './plain-text.ts';
import { heightOf, type Line } from './typeset.ts';

const MIN_WIDTH = 220;
const EDGE = 8;
const ROW_GAP = 4;
const ABOVE = 10;
const TOTAL_PADDING = 6;
const ASIDE_GAP = 10;
const GAP = 28;

/** A block of small print at the left: its label, then its lines. */
interface Aside {
  readonly heading: Line;
  readonly lines: readonly Line[];
}

/** The measured block: sums at the right, the amount in words and the bank account at the left. */
export interface Totals {
  readonly left: number;
  readonly rows: readonly (readonly [label: Line, value: Line])[];
  readonly total: readonly [label: Line, value: Line];
  readonly asides: readonly Aside[];
  readonly height: number;
}

export function measureTotals(writer: PageWriter, drawing: QuoteDrawing): Totals {
  const { type, texts } = writer;
  const { page, style } = writer.look;
  const rows = sumRows(drawing).map(([label, value]) => [type.line(label, style.rowLabel), type.line(value, style.body)] as const); // prettier-ignore
  const total = [
    type.line(texts.quote.total, style.total),
    type.line(formatMoney(drawing.total, drawing.currency, drawing.locale), style.total),
  ] as const;
  const widest = [...rows, total].reduce((most, [label, value]) => Math.max(most, label.width + value.width), 0);
  const left = page.rightEdge - Math.max(MIN_WIDTH, widest + 32 + 2 * EDGE);
  const asides = asidesOf(drawing, texts).map(({ heading, texts }) => ({
    heading: type.line(capitals(heading), style.label),
    lines: texts.flatMap((text) => balancedLines(type, text, style.small, left - GAP - page.left)),
  }));
  const sums = rows.length * (leading(style.body) + ROW_GAP) + 4 + leading(style.total) + 2 * TOTAL_PADDING;
  return { left, rows, total, asides, height: ABOVE + Math.max(sums, heightOfAsides(asides)) };
}

function asidesOf(drawing: QuoteDrawing, { quote }: Texts): { heading: string; texts: string[] }[] {
  const { total, currency, bankInfo, locale, business: { country } } = drawing; // prettier-ignore
  const deposit = depositTexts(drawing);
  const words = amountInWords(total, currency, country);
  const { bankName, clabe, beneficiary } = bankInfo ?? {};
  const number = clabe ? accountOf(clabe, country, locale) : undefined;
  const account = [
    ...(beneficiary ? [`${quote.beneficiary}: ${beneficiary}`] : []),
    ...(bankName ? [`${quote.bank}: ${bankName}`] : []),
    ...(number ? [`${number.label}: ${number.printed}`] : []),
  ];
  return [
    ...(quote.amountInWords && words ? [{ heading: quote.amountInWords, texts: [words] }] : []),
    ...(deposit.length > 0 ? [{ heading: quote.deposit, texts: [...deposit] }] : []),
    ...(account.length > 0 ? [{ heading: quote.payment, texts: account }] : []),
  ];
}

const heightOfAsides = (asides: readonly Aside[]): number =>
  asides.reduce((sum, { heading, lines }) => sum + heading.height + 2 + heightOf(lines) + ASIDE_GAP, -ASIDE_GAP);

/** Subtotal, tax, shipping and the total, with the blocks beside them, on one page. */
export function drawTotals(writer: PageWriter, totals: Totals): void {
  const top = writer.y + ABOVE;
  drawSums(writer, totals, top);
  drawAsides(writer, totals.asides, top);
  writer.y += totals.height;
}

function drawSums(writer: PageWriter, { left, rows, total }: Totals, top: number): void {
  const { doc } = writer;
  const { page, style, color } = writer.look;
  const table = writer.tag('Table');
  let y = top;
  for (const row of rows) {
    drawPair(writer, row, left, y, table);
    y += leading(style.body) + ROW_GAP;
  }
  y += 4;
  const height = leading(style.total) + 2 * TOTAL_PADDING;
  const totalTop = y;
  writer.decoration(() => doc.content.fillRect(left, totalTop, page.rightEdge - left, height, color.tint));
  writer.rule(totalTop, { color: color.accent, width: 1, from: left });
  drawPair(writer, total, left, totalTop + TOTAL_PADDING, table);
  table.end();
}

function drawPair(writer: PageWriter, [label, value]: Totals['total'], left: number, y: number, table: Tag): void {
  const { type, look } = writer;
  const row = writer.tag('TR', table);
  writer.tagged('TH', () => type.draw(label, left + EDGE, y), row, { scope: 'Row' });
  writer.tagged('TD', () => type.draw(value, look.page.rightEdge - EDGE, y, 'right'), row);
  row.end();
}

function drawAsides(writer: PageWriter, asides: readonly Aside[], top: number): void {
  const { type, look } = writer;
  const { left } = look.page;
  let y = top;
  for (const { heading, lines } of asides) {
    const headingTop = y;
    writer.tagged('H2', () => type.draw(heading, left, headingTop));
    y += heading.height + 2;
    for (const line of lines) {
      const lineTop = y;
      writer.tagged('P', () => type.draw(line, left, lineTop));
      y += line.height;
    }
    y += ASIDE_GAP;
  }
}
