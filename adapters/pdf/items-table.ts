import { formatAmount, formatPercentPoints } from '../../domain/format.ts';
import { choiceText, quantityText, sectionsOf } from '../../domain/quote-sums.ts';
import type { Locale } from '../../domain/locale.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { type CarriedSum, createCarriedSum } from './carried-sum.ts';
import type { PageWriter, Tag } from './page-writer.ts';
import { drawSectionRow, sumRowHeight } from './sum-row.ts';
import { baseline, leading, type Look } from './theme.ts';
import { heightOf, type Line } from './typeset.ts';

type Item = QuoteDrawing['lines'][number];

/** A measured row: the product's lines (name, then model) and one line for each number. */
interface Row {
  readonly item: Item;
  readonly product: readonly Line[];
  readonly numbers: readonly Line[];
}

/** A column of numbers, right-aligned. */
interface NumberColumn {
  readonly title: Line;
  readonly right: number;
}

interface Table {
  readonly columns: readonly NumberColumn[];
  /** Of each item. */
  readonly numbers: readonly (readonly Line[])[];
  readonly productWidth: number;
  readonly carried: CarriedSum;
}

const PADDING = { row: 6, header: 5, edge: 8, column: 20 };
const headerHeight = ({ style }: Look): number => leading(style.heading) + 2 * PADDING.header;

/** The least part of a row that may stand alone on a page when the row is continued. */
const MIN_LINES = 2;

/**
 * The quote's lines. The heading is repeated on each page, a row stays whole unless it is taller than half a page, and
 * the last row stays on the page of the next block: `reserve` is the height of the totals. A page that the table leaves
 * ends with the sum so far, which is repeated on the next one.
 */
export function drawItems(writer: PageWriter, drawing: QuoteDrawing, reserve: number): void {
  const table = measure(writer, drawing);
  const element = writer.tag('Table');
  const sections = sectionsOf(drawing);
  const band = sumRowHeight(writer.look);
  const width = table.columns.length + 1;
  const column = { width: table.productWidth, locale: drawing.locale };
  // A row that is not the last one leaves room for the sum that is carried; a section's subtotal stays with its last row.
  const afterOf = (index: number) =>
    (index === drawing.lines.length - 1 ? reserve : band) + (sections[index]?.ends ? band : 0);
  const opening = headerHeight(writer.look) + (sections[0]?.begins ? band : 0);
  if (writer.room() < opening + leastOf(writer, drawing.lines[0], column, afterOf(0))) writer.breakPage();
  drawHeading(writer, table.columns, element);
  for (const [index, item] of drawing.lines.entries()) {
    // Set only now: all names of a thousand items would exceed the thread's memory.
    const row = { item, product: productLines(writer, item, column), numbers: table.numbers[index] ?? [] };
    const { begins, ends } = sections[index] ?? {};
    const after = afterOf(index);
    if (begins) {
      // The heading of a section stays with its first row.
      if (band + leastOf(writer, item, column, after) > writer.room()) turnPage(writer, table);
      drawSectionRow(writer, { label: begins }, element, width);
    }
    drawRow(writer, table, row, element, after);
    if (ends) drawSectionRow(writer, { label: ends[0], amount: ends[1] }, element, width);
  }
  element.end();
}

function measure(writer: PageWriter, drawing: QuoteDrawing): Table {
  const { type, look: { style, page }, texts } = writer; // prettier-ignore
  const { lines: items, currency, locale } = drawing;
  const discounted = items.some((item) => !isZero(item.discountPct));
  const numbersOf = (item: Item): string[] => [
    quantityText(item, { locale }),
    formatAmount(item.unitPrice, currency, locale),
    ...(discounted ? [isZero(item.discountPct) ? '—' : formatPercentPoints(item.discountPct, locale)] : []),
    formatAmount(item.amount, currency, locale),
  ];
  const { quantity, unitPrice, discount, amount } = texts.quote;
  const titles = [quantity, unitPrice, ...(discounted ? [discount] : []), amount];
  const numbers = items.map((item) =>
    numbersOf(item).map((text) => type.line(text, item.counts ? style.body : style.rowLabel)),
  );

  // Numbers get the width they need, the product gets the rest.
  let right = page.rightEdge - PADDING.edge;
  const columns = titles
    .map((text, index) => {
      const title = type.line(text, style.heading);
      const widest = numbers.reduce((most, row) => Math.max(most, row[index]?.width ?? 0), title.width);
      return { title, width: widest };
    })
    .reverse()
    .map(({ title, width }) => {
      const column = { title, right };
      right -= width + PADDING.column;
      return column;
    })
    .reverse();

  const productWidth = right - page.left - PADDING.edge;
  return { columns, numbers, productWidth, carried: createCarriedSum(writer, drawing) };
}

function productLines({ type, look: { style } }: PageWriter, item: Item, { width, locale }: ProductColumn): Line[] {
  const { productName, model, description } = item;
  const small = [model, description, choiceText(item, { locale })];
  return [
    ...type.lines(productName, style.body, width),
    ...small.flatMap((text) => (text ? type.lines(text, style.small, width) : [])),
  ];
}

interface ProductColumn {
  readonly width: number;
  readonly locale: Locale;
}

const isZero = (decimal: string): boolean => /^-?0*\.?0*$/.test(decimal);

/** With a table tag the heading belongs to the table; without one it is a repetition that screen readers skip. */
function drawHeading(writer: PageWriter, columns: readonly NumberColumn[], table?: Tag): void {
  const { doc, type, y, look, texts } = writer;
  const { page, color, style } = look;
  const height = headerHeight(look);
  const product = type.line(texts.quote.item, style.heading);
  const cells = [
    () => type.draw(product, page.left + PADDING.edge, y + PADDING.header),
    ...columns.map(
      ({ title, right }) =>
        () =>
          type.draw(title, right, y + PADDING.header, 'right'),
    ),
  ];
  writer.decoration(() => {
    doc.content.fillRect(page.left, y, page.contentWidth, height, color.band);
    if (!table) cells.forEach((draw) => draw());
  });
  if (table) {
    const row = writer.tag('TR', table);
    cells.forEach((draw) => writer.tagged('TH', draw, row, { scope: 'Column' }));
    row.end();
  }
  writer.y += height;
}

function turnPage(writer: PageWriter, { columns, carried }: Table): void {
  carried.drawFoot();
  writer.breakPage();
  drawHeading(writer, columns);
  carried.drawHead();
}

/** What must follow a heading on its page, so that the heading does not stand alone there. */
function leastOf(writer: PageWriter, item: Item | undefined, column: ProductColumn, reserve: number): number {
  const product = item ? productLines(writer, item, column) : [];
  const whole = rowHeight(product);
  if (whole <= writer.freshRoom / 2) return whole + reserve;
  return rowHeight(product.slice(0, MIN_LINES)) + sumRowHeight(writer.look);
}

const rowHeight = (lines: readonly Line[]): number => heightOf(lines) + 2 * PADDING.row;

function drawRow(writer: PageWriter, table: Table, row: Row, parent: Tag, reserve: number): void {
  const whole = rowHeight(row.product);
  // Keeping taller rows whole would leave pages almost half empty; they are continued on the next page.
  if (whole <= writer.freshRoom / 2 && whole + reserve > writer.room()) turnPage(writer, table);

  const element = writer.tag('TR', parent);
  const cells = [row.product, ...row.numbers].map(() => writer.tag('TD', element));
  const foot = sumRowHeight(writer.look);
  let rest = row.product;
  for (let first = true; first || rest.length > 0; first = false) {
    const minimum = rowHeight(rest.slice(0, MIN_LINES)) + (whole <= writer.freshRoom / 2 ? 0 : foot);
    if (minimum > writer.room() || (!first && rest.length > 0)) turnPage(writer, table);
    // The amount is on the page of the first piece.
    if (first) table.carried.add(row.item);
    const here = linesThatFit(rest, writer.room(), { reserve, foot });
    rest = rest.slice(here.length);
    drawPiece(writer, table.columns, { ...row, product: here, numbers: first ? row.numbers : [] }, cells);
  }
  cells.forEach((cell) => cell.end());
  element.end();
  writer.rule(writer.y);
}

/**
 * All lines if the reserve fits below them; otherwise as many as fit above the sum at the foot of the page. If these
 * are all lines, the last ones move to the next page, so that the reserve follows a part of the row.
 */
function linesThatFit(
  lines: readonly Line[],
  room: number,
  { reserve, foot }: { readonly reserve: number; readonly foot: number },
): readonly Line[] {
  if (rowHeight(lines) + reserve <= room) return lines;
  let height = 2 * PADDING.row + foot;
  const fitting = lines.filter((line) => (height += line.height) <= room);
  return fitting.length < lines.length ? fitting : lines.slice(0, Math.max(1, lines.length - MIN_LINES));
}

function drawPiece(writer: PageWriter, columns: readonly NumberColumn[], piece: Row, cells: readonly Tag[]): void {
  const { type } = writer;
  const { left } = writer.look.page;
  const top = writer.y + PADDING.row;
  const [product, ...numbers] = cells;
  product?.add(() => {
    let y = top;
    for (const line of piece.product) {
      type.draw(line, left + PADDING.edge, y);
      y += line.height;
    }
  });
  for (const [index, line] of piece.numbers.entries()) {
    const right = columns[index]?.right ?? 0;
    numbers[index]?.add(() => type.draw(line, right, top, 'right'));
    if (!piece.item.counts && index === piece.numbers.length - 1) strike(writer, line, right, top);
  }
  writer.y = top + heightOf(piece.product) + PADDING.row;
}

/** Crosses out an amount that is in no sum; the words below the product say it to screen readers. */
function strike(writer: PageWriter, line: Line, right: number, top: number): void {
  const { color, style } = writer.look;
  const y = top + baseline(style.rowLabel) - style.rowLabel.size * 0.3;
  writer.rule(y, { color: color.muted, from: right - line.width, to: right });
}
