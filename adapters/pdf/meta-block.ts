import { baseline, type Style } from './theme.ts';
import type { Sheet } from './page-writer.ts';
import { capitals } from './plain-text.ts';
import { heightOf, type Line } from './typeset.ts';

/** A label at the left and its value at the right, as a row of a table. */
export interface Fact {
  readonly label: string;
  readonly value: string;
  /** Default: the style of ordinary text. */
  readonly style?: Style;
}

const LABEL_WIDTH = 132;
const PADDING = 4;
/** Above a heading. */
const ABOVE = 15;

/** No value that passes validation is longer; an older one must not fill pages. */
const MAX_LINES = 8;

interface Row {
  readonly label: Line;
  readonly value: readonly Line[];
  readonly height: number;
}

/** A heading with its rows, separated by hairlines; on one page. */
export function drawFacts(sheet: Sheet, heading: string, facts: readonly Fact[]): void {
  const { type } = sheet;
  const { page, style } = sheet.look;
  const title = type.line(capitals(heading), style.label);
  const rows = facts.map((fact) => measure(sheet, fact));
  sheet.y += ABOVE;
  const height = title.height + 4 + rows.reduce((sum, row) => sum + row.height, 0);
  if (height > sheet.room()) sheet.breakPage();
  const { y } = sheet;
  sheet.tagged('H2', () => type.draw(title, page.left, y));
  sheet.y += title.height + 4;
  const table = sheet.tag('Table');
  for (const row of rows) {
    const top = sheet.y + PADDING;
    sheet.rule(sheet.y);
    const element = sheet.tag('TR', table);
    sheet.tagged('TH', () => type.draw(row.label, page.left, top), element, { scope: 'Row' });
    sheet.tagged('TD', () => drawValue(sheet, row, top), element);
    element.end();
    sheet.y += row.height;
  }
  table.end();
  sheet.rule(sheet.y);
}

function measure({ type, look: { page, style } }: Sheet, { label, value, style: own = style.body }: Fact): Row {
  const name = type.line(label, style.fact);
  const lines = type.lines(value, own, page.contentWidth - LABEL_WIDTH, MAX_LINES);
  return { label: name, value: lines, height: Math.max(name.height, heightOf(lines)) + 2 * PADDING };
}

function drawValue({ type, look: { page } }: Sheet, { label, value }: Row, top: number): void {
  let y = top;
  for (const [index, line] of value.entries()) {
    // Smaller letters stand on the label's baseline.
    if (index === 0) y += baseline(label.style) - baseline(line.style);
    type.draw(line, page.left + LABEL_WIDTH, y);
    y += line.height;
  }
}
