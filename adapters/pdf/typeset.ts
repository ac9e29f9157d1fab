import { createRequire } from 'node:module';
import type PdfKit from 'pdfkit';
import { leading, type Style } from './look.ts';
import { fitsWinAnsi, letters, plainText } from './plain-text.ts';

type Document = InstanceType<typeof PdfKit>;

const { resolve } = createRequire(import.meta.url);

interface Face {
  readonly name: string;
  /** DejaVu looks larger than Helvetica at the same size. */
  readonly scale: number;
}
const HELVETICA = { regular: { name: 'Helvetica', scale: 1 }, bold: { name: 'Helvetica-Bold', scale: 1 } };
const DEJAVU = { regular: { name: 'dejavu', scale: 0.93 }, bold: { name: 'dejavu-bold', scale: 0.93 } };
const DEJAVU_FILES = {
  dejavu: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
  'dejavu-bold': 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf',
};

/** Drawn for a character that no face has: visible, and the same in the extracted text. */
const MISSING = '□';

/** One measured line of text, ready to be drawn. */
export interface Line {
  readonly text: string;
  readonly face: Face;
  readonly style: Style;
  readonly width: number;
  readonly height: number;
}

export interface Typesetter {
  /** Breaks a text into lines no wider than `width`; `maxLines` cuts the rest and ends in an ellipsis. */
  lines(text: string, style: Style, width: number, maxLines?: number): Line[];
  /** One line, as wide as it is; line ends become spaces. */
  line(text: string, style: Style): Line;
  /** `y` is the top of the line. Right-aligned lines end at `x`. */
  draw(line: Line, x: number, y: number, align?: 'left' | 'right'): void;
}

/** Sets text without pdfkit's own line wrapper, which adds pages by itself and tears rows apart. */
export function createTypesetter(doc: Document): Typesetter {
  let covers: ((codePoint: number) => boolean) | undefined;
  const letterWidths = new Map<string, number>();

  /** The embedded faces are read only when a text needs them: most quotes never do. */
  function coverage(): (codePoint: number) => boolean {
    if (covers) return covers;
    for (const [name, file] of Object.entries(DEJAVU_FILES)) doc.registerFont(name, resolve(file));
    doc.font(DEJAVU.regular.name);
    // pdfkit has no public question "does this font have that character"; its font object does. Version pinned, tested.
    const { font } = Reflect.get(doc, '_font') as { font: { hasGlyphForCodePoint(codePoint: number): boolean } };
    covers = (codePoint) => font.hasGlyphForCodePoint(codePoint);
    return covers;
  }

  // One face for a whole text: mixed faces inside a name look like a mistake.
  function fit(raw: string, { bold = false }: Style): { text: string; face: Face } {
    const text = plainText(raw);
    const weight = bold ? 'bold' : 'regular';
    if (fitsWinAnsi(text)) return { text, face: HELVETICA[weight] };
    const has = coverage();
    const drawable = (letter: string) =>
      letter === '\n' || Array.from(letter, (char) => has(char.codePointAt(0) ?? 0)).every(Boolean);
    return { text: letters(text).map((letter) => (drawable(letter) ? letter : MISSING)).join(''), face: DEJAVU[weight] }; // prettier-ignore
  }

  const measure = (text: string, face: Face, style: Style): number =>
    doc.font(face.name, style.size * face.scale).widthOfString(text);

  function letterWidth(letter: string, face: Face, style: Style): number {
    const key = `${face.name} ${style.size} ${letter}`;
    const width = letterWidths.get(key) ?? measure(letter, face, style);
    letterWidths.set(key, width);
    return width;
  }

  /** Cuts a word that is wider than a whole line. */
  function cut(word: string, width: number, face: Face, style: Style): string[] {
    const pieces: string[] = [];
    let piece = '';
    let used = 0;
    for (const letter of letters(word)) {
      const advance = letterWidth(letter, face, style);
      if (piece && used + advance > width) {
        pieces.push(piece);
        piece = '';
        used = 0;
      }
      piece += letter;
      used += advance;
    }
    return [...pieces, piece];
  }

  /** Breaks at spaces. Only a row that ends inside a word has no space at its end. */
  function wrap(paragraph: string, width: number, face: Face, style: Style): string[] {
    const rows: string[] = [];
    let row = '';
    let used = 0;
    const place = (token: string, advance: number) => {
      if (row && used + advance > width) {
        rows.push(row.endsWith(' ') || token.startsWith(' ') ? closed(row) : row);
        row = '';
        used = 0;
        if (token.startsWith(' ')) return;
      }
      row += token;
      used += advance;
    };
    for (const token of paragraph.match(/ +|[^ ]+/g) ?? []) {
      const advance = measure(token, face, style);
      if (advance <= width) place(token, advance);
      else for (const piece of cut(token, width, face, style)) place(piece, measure(piece, face, style));
    }
    return [...rows, closed(row)];
  }

  const toLine = (text: string, face: Face, style: Style): Line => ({
    text,
    face,
    style,
    width: measure(text, face, style),
    height: leading(style),
  });

  return {
    lines(raw, style, width, maxLines = Infinity) {
      const { text, face } = fit(raw, style);
      const rows = text.split('\n').flatMap((paragraph) => wrap(paragraph, width, face, style));
      const kept = rows.slice(0, maxLines);
      if (rows.length > kept.length) {
        let last = (kept.pop() ?? '').trimEnd();
        while (last && measure(`${last}…`, face, style) > width) last = letters(last).slice(0, -1).join('');
        kept.push(`${last.trimEnd()}…`);
      }
      return kept.map((row) => toLine(row, face, style));
    },

    line(raw, style) {
      const { text, face } = fit(raw.replace(/\s*\n\s*/g, ' '), style);
      return toLine(text, face, style);
    },

    draw({ text, face, style, width, height }, x, y, align = 'left') {
      if (!text) return;
      // The base line is placed by the style, not by the face, so that both faces stand on the same line.
      const baseline = y + height / 2 + style.size * 0.34;
      doc
        .font(face.name, style.size * face.scale)
        .fillColor(style.color)
        .text(text, align === 'right' ? x - width : x, baseline, { lineBreak: false, baseline: 'alphabetic' });
    },
  };
}

// Without the space, copied text and screen readers would glue the last word of a row to the next row's first.
const closed = (row: string): string => (row.trim() ? `${row.trimEnd()} ` : '');

export const heightOf = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.height, 0);
