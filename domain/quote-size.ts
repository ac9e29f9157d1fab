import { invalidInput } from './errors.ts';

/** Code points of the names and models of all lines: what drawing a quote costs grows with them. */
export const MAX_LINE_TEXT = 200_000;

interface LineText {
  readonly productName: string;
  readonly model?: string | null;
}

/** Throws the 400 for lines that hold more text than a new quote may draw. Quotes that were made before keep theirs. */
export function assertLineTextFits(lines: readonly LineText[]): void {
  const texts = lines.flatMap(({ productName, model }) => [productName, model ?? '']);
  // A code point is one UTF-16 unit or two, so most quotes need no count.
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
