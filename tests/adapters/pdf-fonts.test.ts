import assert from 'node:assert/strict';
import PdfKit from 'pdfkit';
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
