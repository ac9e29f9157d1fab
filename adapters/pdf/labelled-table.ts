import { baseline, type Style } from './theme.ts';
import type { PageWriter } from './page-writer.ts';
import { capitals } from './plain-text.ts';
import { heightOf, type Line } from './typeset.ts';

/** A label at the left and its value at the right, as a row of a table. */
export interface LabelledValue {
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
export function drawLabelledTable(writer: PageWriter, heading: string, facts: readonly LabelledValue[]): void {
  const { type } = writer;
  const { page, style } = writer.look;
  const title = type.line(capitals(heading), style.label);
  const rows = facts.map((fact) => measure(writer, fact));
  writer.y += ABOVE;
  const height = title.height + 4 + rows.reduce((sum, row) => sum + row.height, 0);
  if (height > writer.room()) writer.breakPage();
  const { y } = writer;
  writer.tagged('H2', () => type.draw(title, page.left, y));
  writer.y += title.height + 4;
  const table = writer.tag('Table');
  for (const row of rows) {
    const top = writer.y + PADDING;
    writer.rule(writer.y);
    const element = writer.tag('TR', table);
    writer.tagged('TH', () => type.draw(row.label, page.left, top), element, { scope: 'Row' });
    writer.tagged('TD', () => drawValue(writer, row, top), element);
    element.end();
    writer.y += row.height;
  }
  table.end();
  writer.rule(writer.y);
}

function measure(
  { type, look: { page, style } }: PageWriter,
  { label, value, style: own = style.body }: LabelledValue,
): Row {
  const name = type.line(label, style.rowLabel);
  const lines = type.lines(value, own, page.contentWidth - LABEL_WIDTH, MAX_LINES);
  return { label: name, value: lines, height: Math.max(name.height, heightOf(lines)) + 2 * PADDING };
}

function drawValue({ type, look: { page } }: PageWriter, { label, value }: Row, top: number): void {
  let y = top;
  for (const [index, line] of value.entries()) {
    // Smaller letters stand on the label's baseline.
    if (index === 0) y += baseline(label.style) - baseline(line.style);
    type.draw(line, page.left + LABEL_WIDTH, y);
    y += line.height;
  }
}
