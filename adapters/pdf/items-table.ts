import { formatAmount, formatPercentPoints } from '../../domain/format.ts';
import { choiceText, quantityText, sectionsOf } from '../../domain/quote-sums.ts';
import type { Locale } from '../../domain/locale.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { leading, type Look } from './theme.ts';
import type { PageWriter, Tag } from './page-writer.ts';
import { heightOf, type Line } from './typeset.ts';

type Item = QuoteDrawing['lines'][number];

/** A measured row: the product's lines (name, then model) and one line for each number. */
interface Row {
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
}

const PADDING = { row: 6, header: 5, edge: 8, column: 20 };
const headerHeight = ({ style }: Look): number => leading(style.heading) + 2 * PADDING.header;

/** The least part of a row that may stand alone on a page when the row is continued. */
const MIN_LINES = 2;

/**
 * The quote's lines. The heading is repeated on each page, a row stays whole unless it is taller than half a page, and
 * the last row stays on the page of the next block: `reserve` is the height of the totals.
 */
export function drawItems(writer: PageWriter, drawing: QuoteDrawing, reserve: number): void {
  const table = measure(writer, drawing);
  const element = writer.tag('Table');
  const sections = sectionsOf(drawing);
  const band = sectionHeight(writer.look);
  const column = { width: table.productWidth, locale: drawing.locale };
  const only = drawing.lines.length === 1 ? reserve : 0;
  const opening = sections[0]?.begins ? band : 0;
  if (writer.room() < headerHeight(writer.look) + opening + leastOf(writer, drawing.lines[0], column, only))
    writer.breakPage();
  drawHeading(writer, table.columns, element);
  for (const [index, item] of drawing.lines.entries()) {
    // Set only now: all names of a thousand items would exceed the thread's memory.
    const row = { product: productLines(writer, item, column), numbers: table.numbers[index] ?? [] };
    const { begins, ends } = sections[index] ?? {};
    // A section's subtotal stays with its last row, and its heading with the first one.
    const after = (index === drawing.lines.length - 1 ? reserve : 0) + (ends ? band : 0);
    if (begins) {
      if (band + leastOf(writer, item, column, after) > writer.room()) turnPage(writer, table.columns);
      drawSectionRow(writer, element, [begins]);
    }
    drawRow(writer, table, row, element, after);
    if (ends) drawSectionRow(writer, element, ends);
  }
  element.end();
}

function measure({ type, look, texts }: PageWriter, { lines: items, currency, locale }: QuoteDrawing): Table {
  const { style, page } = look;
  const discounted = items.some((item) => !isZero(item.discountPct));
  const numbersOf = (item: Item): string[] => [
    quantityText(item, { locale }),
    formatAmount(item.unitPrice, currency, locale),
    ...(discounted ? [isZero(item.discountPct) ? '—' : formatPercentPoints(item.discountPct, locale)] : []),
    formatAmount(item.amount, currency, locale),
  ];
  const { quantity, unitPrice, discount, amount } = texts.quote;
  const titles = [quantity, unitPrice, ...(discounted ? [discount] : []), amount];
  const numbers = items.map((item) => numbersOf(item).map((text) => type.line(text, style.body)));

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

  return { columns, numbers, productWidth: right - page.left - PADDING.edge };
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
    doc.rect(page.left, y, page.contentWidth, height).fill(color.band);
    if (!table) cells.forEach((draw) => draw());
  });
  if (table) {
    const row = writer.tag('TR', table);
    cells.forEach((draw) => writer.tagged('TH', draw, row, { scope: 'Column' }));
    row.end();
  }
  writer.y += height;
}

const sectionHeight = ({ style }: Look): number => leading(style.rowLabel) + 2 * PADDING.row;

/** The heading of a section, or its subtotal with an amount. */
function drawSectionRow(writer: PageWriter, table: Tag, [label, amount]: readonly [string, string?]): void {
  const { type, look } = writer;
  const { page, style } = look;
  const top = writer.y + PADDING.row;
  const row = writer.tag('TR', table);
  const name = type.line(label, amount === undefined ? style.strong : style.rowLabel);
  writer.tagged('TH', () => type.draw(name, page.left + PADDING.edge, top), row, { scope: 'Row' });
  if (amount !== undefined) {
    const sum = type.line(amount, style.body);
    writer.tagged('TD', () => type.draw(sum, page.rightEdge - PADDING.edge, top, 'right'), row);
  }
  row.end();
  writer.y += sectionHeight(look);
  writer.rule(writer.y);
}

function turnPage(writer: PageWriter, columns: readonly NumberColumn[]): void {
  writer.breakPage();
  drawHeading(writer, columns);
}

/** What must follow a heading on its page, so that the heading does not stand alone there. */
function leastOf(writer: PageWriter, item: Item | undefined, column: ProductColumn, reserve: number): number {
  const product = item ? productLines(writer, item, column) : [];
  const whole = rowHeight(product);
  return whole <= writer.freshRoom / 2 ? whole + reserve : rowHeight(product.slice(0, MIN_LINES));
}

const rowHeight = (lines: readonly Line[]): number => heightOf(lines) + 2 * PADDING.row;

function drawRow(writer: PageWriter, { columns }: Table, row: Row, table: Tag, reserve: number): void {
  const whole = rowHeight(row.product);
  // Keeping taller rows whole would leave pages almost half empty; they are continued on the next page.
  if (whole <= writer.freshRoom / 2 && whole + reserve > writer.room()) turnPage(writer, columns);

  const element = writer.tag('TR', table);
  const cells = [row.product, ...row.numbers].map(() => writer.tag('TD', element));
  let rest = row.product;
  for (let first = true; first || rest.length > 0; first = false) {
    const minimum = rowHeight(rest.slice(0, MIN_LINES));
    if (minimum > writer.room() || (!first && rest.length > 0)) turnPage(writer, columns);
    const here = linesThatFit(rest, writer.room(), reserve);
    rest = rest.slice(here.length);
    drawPiece(writer, columns, { product: here, numbers: first ? row.numbers : [] }, cells);
  }
  cells.forEach((cell) => cell.end());
  element.end();
  writer.rule(writer.y);
}

/** As many lines as fit; if these are all lines but leave no room for the reserve, some move to the next page. */
function linesThatFit(lines: readonly Line[], room: number, reserve: number): readonly Line[] {
  let height = 2 * PADDING.row;
  const fitting = lines.filter((line) => (height += line.height) <= room);
  if (fitting.length < lines.length || rowHeight(lines) + reserve <= room) return fitting;
  return lines.slice(0, Math.max(1, lines.length - MIN_LINES));
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
  }
  writer.y = top + heightOf(piece.product) + PADDING.row;
}
