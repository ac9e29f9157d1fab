import type { PageWriter, Tag } from './page-writer.ts';
import { leading, type Look } from './theme.ts';

/** Rows of the items table that are no items: headings of sections, their subtotals, and sums carried to the next page. */

const PADDING = { row: 6, edge: 8 };

export const sumRowHeight = ({ style }: Look): number => leading(style.rowLabel) + 2 * PADDING.row;

export interface SumRow {
  readonly label: string;
  /** Absent in the heading of a section. */
  readonly amount?: string;
}

/** A row of a section. Its label covers all columns that the amount does not need: a table has rows of equal width. */
export function drawSectionRow(writer: PageWriter, row: SumRow, table: Tag, columns: number): void {
  const [drawLabel, drawAmount] = cellsOf(writer, row);
  const element = writer.tag('TR', table);
  writer.tagged('TH', drawLabel, element, { scope: 'Row', columnSpan: drawAmount ? columns - 1 : columns });
  if (drawAmount) writer.tagged('TD', drawAmount, element);
  element.end();
  endRow(writer);
}

/** A sum that exists only because the page ends: screen readers skip it, as they skip the repeated heading. */
export function drawCarriedRow(writer: PageWriter, row: SumRow): void {
  const cells = cellsOf(writer, row);
  writer.decoration(() => cells.forEach((draw) => draw?.()));
  endRow(writer);
}

function cellsOf({ type, look: { page, style }, y }: PageWriter, { label, amount }: SumRow) {
  const top = y + PADDING.row;
  const name = type.line(label, amount === undefined ? style.strong : style.rowLabel);
  const sum = amount === undefined ? undefined : type.line(amount, style.body);
  return [
    () => type.draw(name, page.left + PADDING.edge, top),
    sum && (() => type.draw(sum, page.rightEdge - PADDING.edge, top, 'right')),
  ] as const;
}

function endRow(writer: PageWriter): void {
  writer.y += sumRowHeight(writer.look);
  writer.rule(writer.y);
}
