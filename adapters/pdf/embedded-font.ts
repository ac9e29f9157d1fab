import type { GlyphPosition } from 'fontkit';
import { LRUCache } from 'lru-cache';
import { operand } from './operand.ts';

/** A font that is embedded with the glyphs that the document shows. */
export interface EmbeddedFont {
  /** The width in thousandths of the font's size. */
  advance(text: string, rightToLeft: boolean): number;
  /** Operators that show the text from this point on, on a page whose origin is at the lower left. */
  show(text: string, at: { readonly x: number; readonly y: number; readonly size: number; readonly rightToLeft: boolean }): string; // prettier-ignore
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

  /** Left-to-right texts are shaped word by word. The shaper sets the letters of a right-to-left text in their order on the page. */
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

  return {
    advance: (text, rightToLeft) => partsOf(text, rightToLeft).reduce((sum, { advance }) => sum + advance, 0),

    show(text, { x, y, size, rightToLeft }) {
      const all = partsOf(text, rightToLeft);
      const scale = size / 1000;
      const move = (to: number, rise = 0) => `1 0 0 1 ${operand(to)} ${operand(y + rise)} Tm\n`;
      if (all.every(({ isPlain }) => isPlain)) {
        const operands = all.map((shaped) => (shaped.operands ??= operandsOf(shaped.run)));
        return `${move(x)}[${operands.join('')}]TJ\n`;
      }
      const run = joined(all);
      let operators = '';
      let [start, pen] = [0, x];
      const showUpTo = (end: number) => {
        if (end > start) operators += `${move(startX)}[${operandsOf(run, start, end)}]TJ\n`;
      };
      let startX = x;
      for (const [at, { xAdvance, xOffset, yOffset }] of run.positions.entries()) {
        if (xOffset !== 0 || yOffset !== 0) {
          showUpTo(at);
          operators += `${move(pen + xOffset * scale, yOffset * scale)}[${operandsOf(run, at, at + 1)}]TJ\n`;
          [start, startX] = [at + 1, pen + xAdvance * scale];
        }
        pen += xAdvance * scale;
      }
      showUpTo(run.glyphs.length);
      return operators;
    },
  };
}

const joined = (parts: readonly Part[]): Glyphs => ({
  glyphs: parts.flatMap(({ run }) => run.glyphs),
  positions: parts.flatMap(({ run }) => run.positions),
});
