import type { Style } from './theme.ts';
import type { Line, Typesetter } from './typeset.ts';

/** Narrower lines do not help readers. Measured in letters' sizes. */
const NARROWEST = 12;
/** In points. */
const STEP = 6;

/** As few lines as the width allows, of similar length: the last word does not stand alone. */
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
