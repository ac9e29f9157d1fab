import { createHash } from 'node:crypto';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';

/** Must be raised with every change of a quote's appearance, so that older stored files are not reused. */
const RENDERER_VERSION = 10;

/** SHA-256 in hex of all that a PDF shows and of the renderer's version; the name of the stored file. */
export const fingerprint = (drawing: QuoteDrawing): string =>
  createHash('sha256').update(JSON.stringify([RENDERER_VERSION, sortedByKey(drawing)])).digest('hex'); // prettier-ignore

/** The same value for any order of members. */
function sortedByKey(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedByKey);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sortedByKey(member)]),
  );
}
