import type { Style } from './look.ts';
import type { Line, Typesetter } from './typeset.ts';

/** Narrower lines are no help to a reader. In sizes of a letter. */
const NARROWEST = 12;
/** In points. */
const STEP = 6;

/** As few lines as the width allows, of about one length: a last word does not stand alone. */
export function balancedLines(type: Typesetter, text: string, style: Style, width: number): readonly Line[] {
  let lines: readonly Line[] = type.lines(text, style, width);
  if (lines.length === 1) return lines;
  for (let narrower = width - STEP; narrower > NARROWEST * style.size; narrower -= STEP) {
    const next = type.lines(text, style, narrower);
    if (next.length > lines.length) break;
    lines = next;
  }
  return lines;
}
