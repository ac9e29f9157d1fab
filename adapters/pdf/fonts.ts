import { embedWithoutSubroutines, isCffSubset } from './cff-subset.ts';
import { embeddedFont, type PdfkitFont } from './embedded-font.ts';
import type { Face, Faces } from './font-registry.ts';
import { moveTo, type Place } from './operand.ts';
import type { PdfFile } from './pdf-file.ts';
import { standardFont } from './standard-font.ts';

/** A text in one font, from the left of its line to the right. */
export interface Run {
  readonly text: string;
  readonly face: Face;
  readonly rightToLeft: boolean;
}

/** The fonts of one document. */
export interface Fonts {
  /** The width of a run at this size of the standard fonts, in points. */
  width(run: Run, size: number): number;
  /** Shows a run on the current page, from a point on its baseline. */
  show(run: Run, at: { readonly x: number; readonly y: number; readonly size: number; readonly color: string }): void;
}

/** A face as the document has it. */
interface DocumentFont {
  /** Its name on the pages. */
  readonly id: string;
  readonly ref: PDFKit.PDFKitReference;
  /** In thousandths of the font's size. */
  advance(run: Run): number;
  show(run: Run, place: Place): string;
}

export function createFonts(file: PdfFile, faces: Faces): Fonts {
  const fonts = new Map<Face, DocumentFont>();

  /** Embedded fonts are opened only when a text needs them: most quotes never do. */
  function fontOf(face: Face): DocumentFont {
    const known = fonts.get(face);
    if (known) return known;
    const font = face.file ? embedded(file, face, faces) : standard(file, face);
    fonts.set(face, font);
    return font;
  }

  return {
    // In this order pdfkit computes widths, too: equal to the last bit, they break lines at the same places.
    width: (run, size) => fontOf(run.face).advance(run) * ((size * run.face.scale) / 1000),

    show(run, { x, y, size, color }) {
      const font = fontOf(run.face);
      const scaled = size * run.face.scale;
      file.page.fonts[font.id] ??= font.ref;
      file.content.text(font.show(run, { x, y: file.page.height - y, size: scaled }), {
        font: font.id,
        size: scaled,
        color,
      });
    },
  };
}

function standard(file: PdfFile, { name }: Face): DocumentFont {
  const font = standardFont(name);
  const ref = file.ref({ Type: 'Font', BaseFont: name, Subtype: 'Type1', Encoding: 'WinAnsiEncoding' });
  ref.end(undefined);
  return {
    id: name,
    ref,
    advance: ({ text }) => font.advance(text),
    show: ({ text }, { x, y }) => `${moveTo(x, y)}[${font.operands(text)}]TJ\n`,
  };
}

function embedded(file: PdfFile, face: Face, faces: Faces): DocumentFont {
  // pdfkit accepts a parsed font as well as a file, which its published types omit.
  file.registerFont(face.name, faces.open(face) as unknown as string);
  file.font(face.name);
  const pdfkitFont = Reflect.get(file, '_font') as PdfkitFont;
  if (isCffSubset(pdfkitFont.subset)) embedWithoutSubroutines(pdfkitFont.subset);
  const font = embeddedFont(pdfkitFont);
  return {
    id: pdfkitFont.id,
    ref: pdfkitFont.ref(),
    advance: ({ text, rightToLeft }) => font.advance(text, rightToLeft),
    show: ({ text, rightToLeft }, place) => font.show(text, rightToLeft, place),
  };
}
