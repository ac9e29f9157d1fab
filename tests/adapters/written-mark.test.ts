import assert from 'node:assert/strict';
import * as fontkit from 'fontkit';
import sharp from 'sharp';
import { openFont } from '../../adapters/pdf/font-files.ts';
import { drawWritten } from '../../adapters/pdf/written-mark.ts';
import { assetNamed } from '../../portal/assets.ts';

/** Of a short name, in pixels. */
const SIZE = 110;
const MARGIN = 20;

/** Whether the image has ink, and whether some of it touches its edges, where letters would be cut off. */
async function inkOf(png: Buffer): Promise<{ hasInk: boolean; atEdges: boolean }> {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  const isDark = (x: number, y: number) => (data[y * info.width + x] ?? 255) < 200;
  const columns = Array.from({ length: info.width }, (_, x) => x);
  const rows = Array.from({ length: info.height }, (_, y) => y);
  const atEdges =
    columns.some((x) => isDark(x, 0) || isDark(x, info.height - 1)) ||
    rows.some((y) => isDark(0, y) || isDark(info.width - 1, y));
  return { hasInk: data.some((value) => value < 100), atEdges };
}

describe('a typed signature as an image', () => {
  for (const [what, written] of [
    ['a name with long descenders', 'Fffjgy Jgpqyzf'],
    ['accents above and below', 'Ángel Çağ Ñuño Ý'],
    ['Polish letters', 'Łukasz Żółć'],
    ['a name of 200 letters without a space', 'Ñ'.repeat(200)],
    ['a name of 200 letters', 'María Guadalupe de los Ángeles '.repeat(7).slice(0, 200)],
    ['an Arabic name', 'محمد عبد الله الفهد'],
    ['a Chinese name with an emoji', '王小明 😀'],
  ] as const) {
    it(`is complete for ${what}`, async () => {
      assert.deepEqual(await inkOf(await drawWritten({ written })), { hasInk: true, atEdges: false });
    });
  }

  for (const [part, file, asset, written] of [
    ['Latin letters', 'script', 'signature.woff2', 'Ñandú'],
    ['letters of its second file', 'script-extended', 'signature-extended.woff2', 'ŁŻć'],
  ] as const) {
    it(`has ${part} in the script font that the client's page loads`, async () => {
      const font = openFont(file);
      const advance = (font.layout(written).advanceWidth / font.unitsPerEm) * SIZE;

      const { width } = await sharp(await drawWritten({ written })).metadata();

      assert.equal(width, Math.ceil(advance) + 2 * MARGIN);
      const served = fontkit.create(assetNamed(asset)?.content ?? Buffer.alloc(0));
      assert.ok('postscriptName' in served);
      assert.deepEqual([served.postscriptName, served.numGlyphs], [font.postscriptName, font.numGlyphs]);
    });
  }

  it('has letters of both files side by side', async () => {
    const widthOf = async (written: string) => (await sharp(await drawWritten({ written })).metadata()).width ?? 0;

    const [ana, alone, together] = [await widthOf('Ana'), await widthOf('Ł'), await widthOf('AnaŁ')];

    // Each width is rounded up.
    assert.ok(Math.abs(together - (ana + alone - 2 * MARGIN)) <= 2, `${ana} + ${alone}: ${together}`);
  });
});
