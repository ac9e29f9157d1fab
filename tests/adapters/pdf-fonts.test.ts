import assert from 'node:assert/strict';
import * as fontkit from 'fontkit';
import PdfKit from 'pdfkit';
import { embedWithoutSubroutines, isCffSubset } from '../../adapters/pdf/cff-subset.ts';
import { type FontFile, openFont } from '../../adapters/pdf/font-files.ts';
import { letters } from '../../adapters/pdf/plain-text.ts';
import { standardFont } from '../../adapters/pdf/standard-font.ts';

const FONTS = ['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Times-Roman', 'Times-Bold', 'Times-Italic', 'Courier', 'Courier-Bold', 'Courier-Oblique']; // prettier-ignore

/** Every character of WinAnsi. */
const CHARACTERS = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, n) => String.fromCharCode(0x20 + n)),
  ...Array.from('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'),
  ...Array.from({ length: 0x60 }, (_, n) => String.fromCharCode(0xa0 + n)),
].filter((character) => character !== '\u00ad');

describe('a standard font', () => {
  for (const name of FONTS) {
    it(`measures every pair of characters in ${name} as pdfkit does`, () => {
      const font = standardFont(name);
      const doc = new PdfKit({ font: name, size: 'A4' }).fontSize(1000);

      const different = CHARACTERS.flatMap((left) =>
        CHARACTERS.map((right) => left + right).filter((pair) => font.advance(pair) !== doc.widthOfString(pair)),
      );

      assert.deepEqual(different, []);
    });
  }

  it('writes kerning between characters, and escapes what ends a string', () => {
    assert.equal(standardFont('Helvetica').operands('AV (€)'), '(A)70(V \\(\x80\\))');
  });
});

describe('an embedded font with subroutines', () => {
  /** Not all of 111,000; the steps have no common divisor with the blocks of scripts. */
  const STEP = 37;

  for (const name of ['han', 'han-bold', 'hangul', 'hangul-bold'] satisfies FontFile[]) {
    it(`has the outlines and hints of the file without them: ${name}`, () => {
      const font = openFont(name);
      const ids = Array.from({ length: Math.floor(font.numGlyphs / STEP) }, (_, n) => 1 + n * STEP);
      const subset = font.createSubset();
      for (const id of ids) subset.includeGlyph(font.getGlyph(id));
      assert.ok(isCffSubset(subset));

      embedWithoutSubroutines(subset);

      const embedded = fontkit.create(openType(subset.encode()));
      assert.ok(!('fonts' in embedded));
      const different = ids.filter((id, at) => shapeOf(embedded, at + 1) !== shapeOf(font, id));
      assert.deepEqual(different, []);
    });
  }
});

/** Its outline and the hints of its part of the font. */
function shapeOf(font: fontkit.Font, id: number): string {
  // Not a public interface.
  const cff = Reflect.get(font, 'CFF ') as { privateDictForGlyph(id: number): Record<string, unknown> };
  const { Subrs: _, ...hints } = cff.privateDictForGlyph(id);
  return `${font.getGlyph(id).path.toSVG()} ${JSON.stringify(hints)}`;
}

/** A file with this table only. */
function openType(cff: Uint8Array): Buffer {
  const head = Buffer.alloc(28);
  head.write('OTTO', 0, 'latin1');
  head.writeUInt16BE(1, 4);
  head.write('CFF ', 12, 'latin1');
  head.writeUInt32BE(head.length, 20);
  head.writeUInt32BE(cff.length, 24);
  return Buffer.concat([head, cff]);
}

describe('the letters of a text', () => {
  it('are the grapheme clusters that the segmenter finds, beside each kind of neighbour', () => {
    const graphemes = new Intl.Segmenter('es-MX', { granularity: 'grapheme' });
    const characters = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code));
    const texts = characters.map((character) => `a${character}水${character}${character}ع${character}`);

    const different = texts.filter(
      (text) => letters(text).join('|') !== Array.from(graphemes.segment(text), ({ segment }) => segment).join('|'),
    );

    assert.deepEqual(different, []);
  });
});
