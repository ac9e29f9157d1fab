import { invalidInput } from './errors.ts';

/** The most code points of all lines' names, models, descriptions and sections together: the cost of drawing a quote grows with them. */
export const MAX_LINE_TEXT = 200_000;

interface LineText {
  readonly productName: string;
  readonly model?: string | null;
  readonly description?: string | null;
  readonly section?: string | null;
}

/** Throws the 400 for lines with more text than a new quote may have. Older quotes keep theirs. */
export function assertLineTextFits(lines: readonly LineText[]): void {
  const texts = lines.flatMap(({ productName, model, description, section }) => [
    productName,
    model ?? '',
    description ?? '',
    section ?? '',
  ]);
  // A code point is one or two UTF-16 units, so most quotes need no count.
  if (texts.reduce((sum, { length }) => sum + length, 0) <= MAX_LINE_TEXT) return;
  if (texts.reduce((sum, text) => sum + codePoints(text), 0) <= MAX_LINE_TEXT) return;
  throw invalidInput([
    { path: 'items', message: `debe tener como máximo ${MAX_LINE_TEXT} caracteres de texto en total` },
  ]);
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
