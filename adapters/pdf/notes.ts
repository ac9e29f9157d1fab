import type { PageWriter } from './page-writer.ts';
import { capitals } from './plain-text.ts';
import { heightOf } from './typeset.ts';

const ABOVE = 18;

/**
 * Notes of any length. Their heading never stands alone at the foot of a page, and short ones move to the next page as
 * a whole when the following block, `reserve` high, would otherwise be alone there.
 */
export function drawNotes(writer: PageWriter, title: string, notes: string, reserve: number): void {
  if (notes.trim() === '') return;
  const { type } = writer;
  const { page, style } = writer.look;
  const heading = type.line(capitals(title), style.label);
  const lines = type.lines(notes.trimEnd(), style.body, page.contentWidth);
  writer.y += ABOVE;
  const whole = heading.height + 4 + heightOf(lines) + reserve;
  const least = whole <= writer.freshRoom / 2 ? whole : heading.height + 4 + heightOf(lines.slice(0, 2));
  if (least > writer.room()) writer.breakPage();
  const { y } = writer;
  writer.tagged('H2', () => type.draw(heading, page.left, y));
  writer.y += heading.height + 4;
  writer.flow('P', lines);
}
