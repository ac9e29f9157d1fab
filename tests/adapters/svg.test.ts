import assert from 'node:assert/strict';
import sharp from 'sharp';
import { createImages, ImageRefused } from '../../adapters/images/images.ts';
import { LOGO_SIDE } from '../../adapters/images/limits.ts';
import { drawSvg } from '../../adapters/images/svg-draw.ts';
import { ChildUnavailable } from '../../adapters/child-process/run-job.ts';
import { hexAt, png, svg } from './image-files.ts';
import { TEST_PERMIT } from './test-permit.ts';
import { AFFINITY, CANVA, copies, figma, ILLUSTRATOR, INKSCAPE, nested, SKETCH, word } from './svg-files.ts';

describe('SVG logo', () => {
  const images = createImages();
  const logo = async (file: Buffer | string): Promise<Buffer> => {
    try {
      return (await images.logo(Buffer.from(file), TEST_PERMIT)).png;
    } catch (error) {
      // The machine was too busy to start the drawing process.
      if (error instanceof ChildUnavailable) return logo(file);
      throw error;
    }
  };
  const colours = async (file: Buffer | string, ...points: readonly (readonly [x: number, y: number])[]) => {
    const made = await logo(file);
    return Promise.all(points.map(([x, y]) => hexAt(made, x, y)));
  };
  /** In this process: a process for each file would cost more than all else here. */
  const refuses = async (content: string, reason: RegExp) => {
    const answer = await drawSvg({ file: svg(content), side: LOGO_SIDE });
    assert.ok('refused' in answer && answer.isSvg && reason.test(answer.refused), content.slice(0, 200));
  };
  const refusesInChild = async (content: string, reason: RegExp) =>
    assert.rejects(
      () => logo(svg(content)),
      (error) => error instanceof ImageRefused && reason.test(error.reason ?? ''),
      content.slice(0, 200),
    );

  describe('is drawn completely as exported by a design program', () => {
    let blue = '';
    before(async () => {
      blue = (await png({ width: 40, height: 20, background: '#00a0ff' })).toString('base64');
    });

    it('Illustrator: DOCTYPE, classes, a clip path of a use, a switch', async () => {
      assert.deepEqual(await colours(ILLUSTRATOR, [60, 150], [400, 200]), ['#e30613', '#00963f']);
      assert.equal((await sharp(await logo(ILLUSTRATOR)).metadata()).hasAlpha, true);
    });

    it('Figma: shadow, mask, pattern of an embedded image, wide-gamut colours beside plain ones', async () => {
      assert.deepEqual(await colours(figma(blue), [150, 150], [360, 150], [525, 150]), [
        '#d90d0d',
        '#00a0ff',
        '#ff8a00',
      ]);
    });

    it('Inkscape: svg: prefix, use, inherited pattern, marker', async () => {
      assert.deepEqual(await colours(INKSCAPE, [120, 80], [270, 80], [450, 150], [306, 240]), [
        '#008000', '#008000', '#aa0000', '#0000ff',
      ]); // prettier-ignore
    });

    it('Sketch: a mask of a use', async () => {
      assert.deepEqual(await colours(SKETCH, [300, 300]), ['#7b61ff']);
    });

    it('Affinity: size in percent, gradient with a matrix', async () => {
      assert.deepEqual(await colours(AFFINITY, [300, 300]), ['#ff0080']);
    });

    it('Canva: a mask through a colour matrix', async () => {
      assert.deepEqual(await colours(CANVA, [140, 140], [420, 140]), ['#ff5757', '#0000ff']);
    });

    it('Word: a use of an embedded image', async () => {
      assert.deepEqual(await colours(word(blue), [100, 100], [340, 100]), ['#4472c4', '#00a0ff']);
    });

    it('in UTF-16 of both orders, in Latin-1 by its declaration, and with a byte order mark', async () => {
      const utf16 = Buffer.from(`\ufeff${SKETCH}`, 'utf16le');
      const declared = SKETCH.replace('UTF-8', 'ISO-8859-1').replace('logo', 'Ñandú');
      const files = [
        utf16,
        Buffer.from(utf16).swap16(),
        Buffer.from(declared, 'latin1'),
        Buffer.from(`\ufeff${SKETCH}`),
      ];

      for (const file of files) assert.deepEqual(await colours(file, [300, 300]), ['#7b61ff']);
    });

    it('with an embedded JPEG and with one that has no size of its own', async () => {
      const jpeg = await sharp(await png({ width: 100, height: 100 })).jpeg({ quality: 100 }).toBuffer(); // prettier-ignore
      const image = `<image href="data:image/jpeg;base64,${jpeg.toString('base64')}"/>`;

      assert.match((await colours(svg(image), [590, 590]))[0] ?? '', /^#c[b-d]0[01]0[01]$/);
    });

    it('with a background on its root', async () => {
      const file = svg('<circle r="9" fill="#fff"/>').toString().replace('<svg', '<svg style="background: #123456"');

      assert.deepEqual(await colours(file, [599, 599], [10, 10]), ['#123456', '#ffffff']);
    });

    it('with rules of many kinds: the more specific, the later and the important ones win', async () => {
      const sheet = 'svg > g .a, path { fill: #f00 !important } .a { fill: #00f } #k { stroke: #0f0; stroke-width: 10 } rect:hover { fill: #000 } @media (prefers-color-scheme: dark) { rect { fill: #fff } }'; // prettier-ignore
      const content = `<style><![CDATA[${sheet}]]></style><g><rect id="k" class="b a" x="20" y="20" width="60" height="60" style="fill:#ff0"/></g>`;

      assert.deepEqual(await colours(svg(content), [300, 300], [120, 300]), ['#ff0000', '#00ff00']);
    });

    it('with a paint that names a fallback for a missing definition', async () => {
      const content = '<rect width="100" height="100" fill="url(#none) #00ff00"/>';

      assert.deepEqual(await colours(svg(content), [300, 300]), ['#00ff00']);
    });
  });

  describe('is refused with the reason when it holds what cannot be drawn', () => {
    const REFUSED: readonly (readonly [what: string, content: string, reason: RegExp])[] = [
      ['foreignObject', '<foreignObject width="9" height="9"><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>', /<foreignObject>/],
      ['an animation', '<rect width="9" height="9"><animate attributeName="x" to="5"/></rect>', /<animate>/],
      ['flowing text of Inkscape', '<flowRoot><flowPara>x</flowPara></flowRoot>', /<flowRoot>/],
      ['an unknown element', '<rect width="9" height="9"/><star/>', /<star>/],
      ['noise', '<filter id="f"><feTurbulence/></filter><rect width="9" height="9" filter="url(#f)"/>', /<feTurbulence>/],
      ['a morphology', '<filter id="f"><feMorphology radius="99"/></filter><rect width="9" height="9" filter="url(#f)"/>', /<feMorphology>/],
      ['an effect by its name', '<rect width="9" height="9" style="filter:blur(5px)"/>', /filter: blur/],
      ['a clip path by its form', '<rect width="9" height="9" style="clip-path:circle(5px)"/>', /clip-path: circle/],
      ['a variable', '<style>:root{}</style><rect width="9" height="9"/>', /:root/],
      ['a colour from a variable', '<rect width="9" height="9" style="fill:var(--c)"/>', /var\(--c\)/],
      ['a colour that only new browsers know', '<rect width="9" height="9" fill="oklch(0.5 0.1 9)"/>', /oklch/],
      ['a turn around another point', '<rect width="9" height="9" style="transform:rotate(5deg);transform-origin:center"/>', /transform-origin/],
      ['a selector of siblings', '<style>rect+rect{fill:red}</style><rect width="9" height="9"/>', /rect\+rect/],
      ['a reference to nothing', '<rect width="9" height="9"/><use href="#nothing"/>', /«#nothing»/],
      ['a paint that is none', '<g id="x"/><rect width="9" height="9" fill="url(#x)"/>', /«#x»/],
      ['an SVG as data', '<image width="9" height="9" href="data:image/svg+xml;base64,PHN2Zy8+"/>', /no es PNG ni JPEG/],
      ['a GIF as data', '<image width="9" height="9" href="data:image/png;base64,R0lGODlhAQABAAAAACw="/>', /no es PNG ni JPEG/],
      ['nothing within its bounds', '<rect x="200" width="9" height="9"/>', /no muestra nada/],
      ['nothing but definitions', '<defs><rect width="9" height="9"/></defs>', /no muestra nada/],
    ]; // prettier-ignore
    for (const [what, content, reason] of REFUSED) it(what, () => refuses(content, reason));

    it('embedded images of more than 25 megapixels together', async () => {
      const image = async (colour: string) =>
        `<image width="9" height="9" href="data:image/png;base64,${(await sharp({ create: { width: 4_000, height: 4_000, channels: 3, background: colour } }).png({ palette: true }).toBuffer()).toString('base64')}"/>`; // prettier-ignore

      await refuses(`${await image('#f00')}${await image('#0f0')}`, /más de 25 megapíxeles/);
    });

    it('declarations of entities, even beside other faults', async () => {
      const file = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd" [<!ENTITY a "b">]>${svg('').toString()}`;

      await assert.rejects(() => logo(file), (error) => error instanceof ImageRefused && error.reason === undefined); // prettier-ignore
    });
  });

  describe('is drawn or refused within its budget', () => {
    it('10 000 drawn elements are drawn, one more is refused', async () => {
      const hundred = `<g id="r">${'<rect width="9" height="9" fill="#0f0"/>'.repeat(100)}</g>${'<use href="#r"/>'.repeat(99)}`;

      assert.deepEqual(await colours(svg(hundred), [9, 9]), ['#00ff00']);
      await refuses(`<rect width="9" height="9"/>${hundred}`, /más de 10000 elementos/);
    });

    it('sixteen levels of references are drawn, one more is refused', async () => {
      assert.deepEqual(await colours(svg(`${copies(15, 1)}<use href="#l15"/>`), [300, 300]), ['#00ff00']);
      await refuses(`${copies(16, 1)}<use href="#l16"/>`, /más de 16 niveles/);
    });

    const MULTIPLIED: readonly (readonly [what: string, content: string])[] = [
      ['2^20 copies', copies(20, 2)],
      ['20^14 copies of nothing', copies(14, 20).replace(/<rect[^>]*>/, '')],
      ['patterns in patterns', nested('pattern', 'fill', 20)],
      ['masks in masks', nested('mask', 'mask', 20)],
      ['clip paths in clip paths', nested('clipPath', 'clip-path', 40)],
      ['masks in masks, by classes', `<style>${Array.from({ length: 20 }, (_, i) => `.c${i}{mask:url(#k${i})}`).join('')}</style>${nested('mask', 'class', 20).replaceAll(/class="url\(#k(\d+)\)"/g, 'class="c$1"')}`],
      ['a pattern on a group of many', `${nested('pattern', 'fill', 8)}<g fill="url(#k7)">${'<path d="M0 0H9V9Z"/>'.repeat(200)}</g>`],
      ['markers on every corner', `<marker id="m">${'<rect width="9" height="9"/>'.repeat(100)}</marker><path d="${'M0 0L9 9'.repeat(60)}" style="marker:url(#m)"/>`],
      ['effects over the whole, many times', `<filter id="f"><feGaussianBlur stdDeviation="50"/></filter>${'<rect width="99" height="99" filter="url(#f)"/>'.repeat(400)}`],
    ]; // prettier-ignore
    for (const [what, content] of MULTIPLIED) {
      it(`${what}: refused before anything is drawn`, () =>
        refusesInChild(content, /más de (?:10000 elementos|16 niveles)/));
    }

    const CIRCULAR: readonly (readonly [what: string, content: string])[] = [
      ['a use of what it stands in', '<g id="a"><use href="#a"/></g>'],
      ['two that use each other', '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'],
      ['a mask of itself', '<mask id="m"><rect width="9" height="9" mask="url(#m)"/></mask><rect width="9" height="9" mask="url(#m)"/>'],
      ['a pattern that fills itself', '<pattern id="p" width="9" height="9"><rect width="9" height="9" style="fill:url(\'#p\')"/></pattern><rect width="9" height="9" fill="url(#p)"/>'],
      ['gradients that inherit from each other', '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><rect width="9" height="9" fill="url(#a)"/>'],
      ['a marker on its own line', '<marker id="m"><path d="M0 0H9" marker-end="url(#m)"/></marker><path d="M0 0H9" marker-end="url(#m)"/>'],
    ]; // prettier-ignore
    for (const [what, content] of CIRCULAR) {
      it(`${what}: refused as circular`, () => refuses(content, /referencia circular en «#/));
    }

    it('a blur of 5 000 over the whole is drawn within the limit of CPU time', async () => {
      const blur = '<filter id="b" x="-500%" width="1100%"><feGaussianBlur stdDeviation="5000"/></filter>';
      await logo(svg(`${blur}<rect width="100" height="100" filter="url(#b)"/><rect width="9" height="9"/>`));
    });
  });
});
