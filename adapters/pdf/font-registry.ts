import type { Font } from 'fontkit';
import { type FontFile, openFont } from './font-files.ts';
import type { Family, Style } from './theme.ts';

/** A font for setting text. */
export interface Face {
  /** Its name in the document. */
  readonly name: string;
  /** Fonts look differently large at the same size. */
  readonly scale: number;
  /** The font's file; absent for the standard fonts, which every reader has. */
  readonly file?: FontFile;
}

type Cut = 'regular' | 'bold' | 'italic';
type Cuts = Readonly<Record<Cut, Face>>;

const standard = (regular: string, bold: string, italic: string): Cuts => ({
  regular: { name: regular, scale: 1 },
  bold: { name: bold, scale: 1 },
  italic: { name: italic, scale: 1 },
});

const embedded = (file: FontFile, scale: number): Face => ({ name: `embedded-${file}`, scale, file });

const cuts = (name: 'sans' | 'serif' | 'mono', scale: number): Cuts => ({
  regular: embedded(name, scale),
  bold: embedded(`${name}-bold`, scale),
  italic: embedded(`${name}-italic`, scale),
});

const upright = (regular: Face, bold: Face = regular): Cuts => ({ regular, bold, italic: regular });

const STANDARD: Readonly<Record<Family, Cuts>> = {
  Helvetica: standard('Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique'),
  Times: standard('Times-Roman', 'Times-Bold', 'Times-Italic'),
  Courier: standard('Courier', 'Courier-Bold', 'Courier-Oblique'),
};

/** A similar font for characters that the standard fonts lack. */
const WIDE: Readonly<Record<Family, Cuts>> = {
  Helvetica: cuts('sans', 0.93),
  Times: cuts('serif', 0.89),
  Courier: cuts('mono', 0.95),
};

const SCRIPTS = {
  rightToLeft: upright(embedded('right-to-left', 0.95), embedded('right-to-left-bold', 0.95)),
  han: upright(embedded('han', 0.98), embedded('han-bold', 0.98)),
  hangul: upright(embedded('hangul', 0.98), embedded('hangul-bold', 0.98)),
  emoji: upright(embedded('emoji', 0.92)),
} as const;

export type Script = keyof typeof SCRIPTS;

/** Joiners and variation selectors change other glyphs and need none of their own. */
const NEEDS_NO_GLYPH = /\u200c|\u200d|\ufe0e|\ufe0f/gu;

/** The faces that a document's texts are set in. */
export interface Faces {
  standard(style: Style): Face;
  wide(style: Style): Face;
  script(script: Script, style: Style): Face;
  /** The first font that has all of the letter's characters. */
  firstWith(letter: string, faces: readonly Face[]): Face | undefined;
  /** Whether the embedded font has the character. */
  has(face: Face, character: string): boolean;
  /** The font's file; undefined for a standard font. */
  open(face: Face): Font | undefined;
  /** The width of an ideograph or syllable at this size; undefined when only shaping can tell. */
  widthOfLetter(face: Face, letter: string, size: number): number | undefined;
}

export function createFaces(family: Family): Faces {
  const fonts = new Map<FontFile, Font>();

  function open({ file }: Face): Font | undefined {
    if (!file) return undefined;
    const font = fonts.get(file) ?? openFont(file);
    fonts.set(file, font);
    return font;
  }

  /** As a share of the font's size, by font and by letter. */
  const advances = new Map<Face, Map<number, number>>();

  function advanceOf(face: Face, code: number): number {
    const font = open(face);
    return font ? font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm : 0;
  }

  const has = (face: Face, character: string) =>
    open(face)?.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) ?? false;

  return {
    standard: (style) => STANDARD[style.family ?? family][cutOf(style)],
    wide: (style) => WIDE[style.family ?? family][cutOf(style)],
    script: (script, style) => SCRIPTS[script][cutOf(style)],

    firstWith: (letter, faces) =>
      faces.find((face) => Array.from(letter.replace(NEEDS_NO_GLYPH, ''), (char) => has(face, char)).every(Boolean)),

    has,
    open,

    widthOfLetter(face, letter, size) {
      if (!face.file || !SAME_WIDTH_ALONE.has(face.file)) return undefined;
      const code = letter.codePointAt(0) ?? 0;
      if (letter.length > (code > 0xffff ? 2 : 1)) return undefined;
      const known = advances.get(face) ?? new Map<number, number>();
      advances.set(face, known);
      const advance = known.get(code) ?? advanceOf(face, code);
      known.set(code, advance);
      return advance * size * face.scale;
    },
  };
}

const cutOf = ({ bold = false, italic = false }: Style): Cut => (italic ? 'italic' : bold ? 'bold' : 'regular');

/** Fonts in which a single letter is as wide as its glyph. */
const SAME_WIDTH_ALONE: ReadonlySet<FontFile> = new Set(['han', 'han-bold', 'hangul', 'hangul-bold']);
