import type { GlyphPosition } from 'fontkit';
import { LRUCache } from 'lru-cache';
import { moveTo, operand, type Place } from './operand.ts';

/** A font that is embedded with the glyphs that the document shows. */
export interface EmbeddedFont {
  /** The width in thousandths of the font's size. */
  advance(text: string, rightToLeft: boolean): number;
  /** Operators that show the text from this place on. */
  show(text: string, rightToLeft: boolean, place: Place): string;
}

/** What pdfkit has for an embedded font. Not a public interface; the version is pinned, and tests compare the result. */
export interface PdfkitFont {
  readonly id: string;
  readonly scale: number;
  readonly subset: { includeGlyph(id: number): number };
  /** By number in the file. */
  readonly widths: number[];
  readonly unicode: (readonly number[])[];
  ref(): PDFKit.PDFKitReference;
  layoutRun(text: string): Run;
}

interface Glyphs {
  readonly glyphs: readonly Glyph[];
  /** In thousandths of the font's size. */
  readonly positions: readonly GlyphPosition[];
}

interface Run extends Glyphs {
  readonly advanceWidth: number;
}

interface Glyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
}

/** A shaped part of a text. */
interface Part {
  readonly run: Run;
  readonly advance: number;
  /** Whether its glyphs stand beside each other, so that its operands are the same wherever it is shown. */
  readonly isPlain: boolean;
  operands?: string;
}

/** Letters in the cached parts of one document. */
const MAX_LETTERS = 20_000;

/** Shapes each part of the document's texts once: to measure it, and to draw it each time it occurs. */
export function embeddedFont(font: PdfkitFont): EmbeddedFont {
  const parts = new LRUCache<string, Part>({ maxSize: MAX_LETTERS, sizeCalculation: (_, text) => text.length || 1 });

  function part(text: string): Part {
    const known = parts.get(text);
    if (known) return known;
    const run = font.layoutRun(text);
    const isPlain = run.positions.every(({ xOffset, yOffset }) => xOffset === 0 && yOffset === 0);
    const shaped = { run, advance: run.advanceWidth, isPlain };
    parts.set(text, shaped);
    return shaped;
  }

  /** Left-to-right texts are shaped word by word; of right-to-left ones the shaper also sets the order of the words. */
  const partsOf = (text: string, rightToLeft: boolean): Part[] =>
    (rightToLeft ? [text] : (text.match(/[^ ]* |[^ ]+$/g) ?? [])).map(part);

  /** Includes the glyph in the file. */
  function encoded({ id, advanceWidth, codePoints }: Glyph): string {
    const number = font.subset.includeGlyph(id);
    font.widths[number] ??= advanceWidth * font.scale;
    font.unicode[number] ??= codePoints;
    return number.toString(16).padStart(4, '0');
  }

  /** The operands of TJ for some of a run's glyphs. */
  function operandsOf({ glyphs, positions }: Glyphs, from = 0, to = glyphs.length): string {
    let operands = '';
    let hex = '';
    for (let at = from; at < to; at += 1) {
      const glyph = glyphs[at];
      if (!glyph) continue;
      hex += encoded(glyph);
      const kerning = (positions[at]?.xAdvance ?? 0) - glyph.advanceWidth * font.scale;
      if (kerning === 0) continue;
      operands += `<${hex}>${operand(-kerning)}`;
      hex = '';
    }
    return hex ? `${operands}<${hex}>` : operands;
  }

  /** Marks above and below letters are placed one by one; the letters between them stand beside each other. */
  function showPlaced({ glyphs, positions }: Glyphs, { x, y, size }: Place): string {
    const scale = size / 1000;
    let operators = '';
    const show = (from: number, to: number, at: number, rise: number) => {
      if (to > from) operators += `${moveTo(at, y + rise)}[${operandsOf({ glyphs, positions }, from, to)}]TJ\n`;
    };
    let [pen, shown, shownTo] = [x, 0, x];
    for (const [index, { xAdvance, xOffset, yOffset }] of positions.entries()) {
      const next = pen + xAdvance * scale;
      if (xOffset !== 0 || yOffset !== 0) {
        show(shown, index, shownTo, 0);
        show(index, index + 1, pen + xOffset * scale, yOffset * scale);
        [shown, shownTo] = [index + 1, next];
      }
      pen = next;
    }
    show(shown, glyphs.length, shownTo, 0);
    return operators;
  }

  return {
    advance: (text, rightToLeft) => partsOf(text, rightToLeft).reduce((sum, { advance }) => sum + advance, 0),

    show(text, rightToLeft, place) {
      const all = partsOf(text, rightToLeft);
      if (!all.every(({ isPlain }) => isPlain)) return showPlaced(joined(all), place);
      const operands = all.map((shaped) => (shaped.operands ??= operandsOf(shaped.run)));
      return `${moveTo(place.x, place.y)}[${operands.join('')}]TJ\n`;
    },
  };
}

const joined = (parts: readonly Part[]): Glyphs => ({
  glyphs: parts.flatMap(({ run }) => run.glyphs),
  positions: parts.flatMap(({ run }) => run.positions),
});
