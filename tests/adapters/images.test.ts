import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { createImages, ImageRefused } from '../../adapters/images/images.ts';
import { LOGO_SIDE } from '../../adapters/images/limits.ts';
import { drawSvg } from '../../adapters/images/svg-draw.ts';
import { ChildUnavailable } from '../../adapters/child-process/run-job.ts';
import { childProcesses, endlessSvg, hexAt, png, svg, withCrc } from './image-files.ts';
import { eventually } from '../eventually.ts';
import { inTime } from '../in-time.ts';
import { TEST_PERMIT } from './test-permit.ts';

describe('logo of a business', () => {
  const images = createImages();
  /** Retried, as uploaders are asked to, when the machine is too busy to start the drawing process. */
  const logo = async (file: Buffer): Promise<Buffer> => {
    try {
      return (await images.logo(file, TEST_PERMIT)).png;
    } catch (error) {
      if (!(error instanceof ChildUnavailable)) throw error;
      return logo(file);
    }
  };
  const refuses = (file: Buffer | string, cause = /./) =>
    assert.rejects(
      logo(Buffer.from(file)),
      (error) => error instanceof ImageRefused && cause.test(String(error.cause)),
    );
  const drawn = async (markup: string) => hexAt(await logo(Buffer.from(markup)), 300, 300);

  describe('is redrawn as a plain PNG of at most 600 × 600', () => {
    it('from a PNG with transparency, which it keeps', async () => {
      const file = await png({ width: 1200, height: 300, background: { r: 255, g: 0, b: 0, alpha: 0.4 } });

      const { width, height, format, hasAlpha, isProgressive } = await sharp(await logo(file)).metadata();

      assert.deepEqual({ width, height, format, hasAlpha, isProgressive }, {
        width: 600, height: 150, format: 'png', hasAlpha: true, isProgressive: false,
      }); // prettier-ignore
    });

    it('from an opaque PNG with an alpha channel, which it drops', async () => {
      assert.equal((await sharp(await logo(await png({ width: 30, height: 20 }))).metadata()).hasAlpha, false);
    });

    it('from an interlaced (Adam7) PNG', async () => {
      const file = await sharp(await png({ width: 300, height: 200 }))
        .png({ progressive: true })
        .toBuffer();
      assert.equal((await sharp(file).metadata()).isProgressive, true);

      const made = await logo(file);

      assert.equal((await sharp(made).metadata()).isProgressive, false);
      assert.equal(await hexAt(made, 10, 10), '#cc0000');
    });

    it('from a WebP', async () => {
      const file = await sharp(await png({ width: 300, height: 200 }))
        .webp({ lossless: true })
        .toBuffer();

      assert.equal(await hexAt(await logo(file), 10, 10), '#cc0000');
    });

    it('from a JPEG, upright and without its metadata', async () => {
      const file = await sharp(await png({ width: 300, height: 200 }))
        .withExif({ IFD0: { Copyright: 'secreto' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer();

      const made = await logo(file);

      const { width, height, exif } = await sharp(made).metadata();
      assert.deepEqual({ width, height, exif }, { width: 200, height: 300, exif: undefined });
    });

    it('from 16 bits per channel', async () => {
      const file = await sharp(await png({ width: 30, height: 20 }))
        .toColourspace('rgb16')
        .png()
        .toBuffer();

      assert.equal((await sharp(await logo(file)).metadata()).depth, 'uchar');
    });

    it('from a CMYK JPEG', async () => {
      const file = await sharp(await png({ width: 300, height: 200 }))
        .toColourspace('cmyk')
        .jpeg()
        .toBuffer();
      assert.equal((await sharp(file).metadata()).space, 'cmyk');

      const made = await logo(file);

      assert.equal((await sharp(made).metadata()).space, 'srgb');
      assert.match(await hexAt(made, 10, 10), /^#[c-d]\w[0-4]\w[0-4]\w$/);
    });

    it('from the first frame of an animated WebP', async () => {
      const frame = (background: string) => png({ width: 30, height: 20, background });
      const frames = [await frame('#00cc00'), await frame('#cc0000')];
      const file = await sharp(frames, { join: { animated: true } })
        .webp({ lossless: true })
        .toBuffer();
      assert.equal((await sharp(file).metadata()).pages, 2);

      const made = await logo(file);

      const { width, height, pages } = await sharp(made).metadata();
      assert.deepEqual({ width, height, pages }, { width: 30, height: 20, pages: undefined });
      assert.equal(await hexAt(made, 10, 10), '#00cc00');
    });

    it('from grey with transparency and from a palette', async () => {
      const grey = await sharp(await png({ width: 30, height: 20, background: { r: 90, g: 90, b: 90, alpha: 0.5 } })).toColourspace('b-w').png().toBuffer(); // prettier-ignore
      const palette = await sharp(await png({ width: 30, height: 20 })).png({ palette: true, colours: 4 }).toBuffer(); // prettier-ignore

      assert.equal((await sharp(await logo(grey)).metadata()).channels, 4);
      assert.equal(await hexAt(await logo(palette), 10, 10), '#cc0000');
    });

    it('without data appended to the image (polyglot)', async () => {
      const file = Buffer.concat([
        await png({ width: 30, height: 20 }),
        Buffer.from('<script>alert(1)</script>PK\u0003\u0004'),
      ]);

      const made = await logo(file);

      assert.ok(!made.includes('script'));
    });

    it('from an SVG of the largest size', async () => {
      const made = await logo(svg('<rect width="100" height="100" fill="#00f"/>'));

      const { width, height, hasAlpha } = await sharp(made).metadata();
      assert.deepEqual({ width, height, hasAlpha }, { width: 600, height: 600, hasAlpha: false });
      assert.equal(await hexAt(made, 300, 300), '#0000ff');
    });

    it('from an SVG of 100 000 × 100 000', async () => {
      const made = await logo(
        Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000"><rect width="100000" height="100000" fill="lime"/></svg>',
        ),
      );

      assert.equal((await sharp(made).metadata()).width, 600);
      assert.equal(await hexAt(made, 300, 300), '#00ff00');
    });

    it('from an SVG with a prolog, comments, a style sheet, gradients and text', async () => {
      const file = `\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- hecho -->\n${svg(`
        <style>/* .cls-1{fill:red} */ .cls-1 { fill: url(#g) } .cls-2{fill:#333}</style>
        <defs><linearGradient id="h"><stop stop-color="#0a0"/></linearGradient>
        <linearGradient id="g" xlink:href="#h"/></defs>
        <rect class="cls-1" width="100" height="100"/><text class="cls-2" x="1" y="20">Ñandú &amp; Cía</text>`).toString()}`;

      const made = await logo(Buffer.from(file));

      assert.equal(await hexAt(made, 300, 500), '#00aa00');
      assert.equal(
        new Set(await sharp(made).extract({ left: 0, top: 30, width: 300, height: 100 }).raw().toBuffer()).size > 2,
        true,
      );
    });
  });

  describe('an SVG is drawn without active content, and refused for external references', () => {
    let requests = 0;
    let origin = '';
    const server = createServer((_request, response) => {
      requests += 1;
      response.end();
    });
    before((done) => {
      server.listen(0, '127.0.0.1', () => {
        origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        done();
      });
    });
    after(() => server.close());

    it('scripts, handlers and links are not drawn', async () => {
      const markup = svg(`<script>alert(1)</script><rect width="100" height="100" fill="#0f0" onload="alert(1)"/>
        <a xlink:href="javascript:alert(1)"><rect width="9" height="9" fill="#0f0"/></a>`);

      assert.equal(await drawn(markup.toString()), '#00ff00');
    });

    const loading = (): readonly string[] => [
      `<style>@import url(${origin}/a.css);</style><rect width="9" height="9"/>`,
      `<style>rect{fill:url(${origin}/p#x)}</style><rect width="9" height="9"/>`,
      `<?xml-stylesheet href="${origin}/b.css"?><rect width="9" height="9"/>`,
      `<rect width="9" height="9" style="filter:url(${origin}/f#x)"/>`,
      `<rect width="9" height="9" clip-path="url( '${origin}/f#x' )"/>`,
      `<image width="9" height="9" href="${origin}/i.png"/>`,
      '<image width="9" height="9" xlink:href="file:///etc/hostname"/>',
      '<image width="9" height="9" xlink:href="/etc/hostname"/>',
      `<use href="${origin}/s.svg#a"/>`,
      '<pattern id="p" href="other.svg#p"/><rect width="9" height="9" fill="url(#p)"/>',
    ];
    it('a reference to another file is named in the refusal, and no request is made', async () => {
      const reason = /fuera del archivo \(«.+»\)/;
      const [first = '', ...others] = loading();
      await assert.rejects(
        images.logo(svg(first), TEST_PERMIT),
        (error) => error instanceof ImageRefused && reason.test(error.reason ?? ''),
      );
      for (const content of others) {
        const answer = await drawSvg({ file: svg(content), side: LOGO_SIDE });
        assert.ok('refused' in answer && reason.test(answer.refused), content);
      }
      assert.equal(requests, 0);
    });

    it('a font of its own is replaced by another', async () => {
      const { foreignFonts } = await images.logo(
        svg(`<style>@font-face{font-family:"Mi Letra";src:url(${origin}/f.woff;x)} .t{font-family:'Mi Letra',sans-serif}</style>
          <text class="t" y="50">Acme</text>`),
        TEST_PERMIT,
      );

      assert.deepEqual(foreignFonts, ['Mi Letra']);
      assert.equal(requests, 0);
    });
  });

  describe('a logo is refused when it is', () => {
    it('empty', () => refuses(''));
    it('text', () => refuses('hola'));
    it('a GIF', async () =>
      refuses(
        await sharp(await png({ width: 3, height: 3 }))
          .gif()
          .toBuffer(),
      ));
    it('an HTML page, even one with an SVG in it', () => refuses(`<html><body>${svg('').toString()}</body></html>`));
    it('a PNG of 60 000 × 60 000 pixels in a few bytes', async () => {
      const file = await png({ width: 8, height: 8 });
      file.writeUInt32BE(60_000, 16);
      file.writeUInt32BE(60_000, 20);

      await refuses(withCrc(file));
    });
    it('a PNG that ends in the middle', async () => {
      const file = await sharp({
        create: {
          width: 200,
          height: 200,
          channels: 3,
          background: '#123',
          noise: { type: 'gaussian', mean: 99, sigma: 30 },
        },
      })
        .png()
        .toBuffer();

      await refuses(file.subarray(0, file.length / 2));
    });
    for (const kind of ['jpeg', 'webp'] as const) {
      it(`a ${kind} that ends in the middle`, async () => {
        const noise = { type: 'gaussian', mean: 99, sigma: 30 } as const;
        const file = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#123', noise } })
          .toFormat(kind)
          .toBuffer();

        await refuses(file.subarray(0, file.length / 2));
      });
    }
    it('an animated GIF', async () => {
      const frames = [await png({ width: 9, height: 9 }), await png({ width: 9, height: 9, background: '#00cc00' })];

      await refuses(
        await sharp(frames, { join: { animated: true } })
          .gif()
          .toBuffer(),
      );
    });
    it('a PNG whose data are corrupt', async () => {
      const file = await png({ width: 200, height: 200 });
      file.fill(0x55, 60, 120);

      await refuses(file);
    });
    it('nothing but a signature', () => refuses(Buffer.from('89504e470d0a1a0a', 'hex')));
    it('an SVG whose entities multiply (a billion laughs)', () =>
      refuses(`<!DOCTYPE svg [<!ENTITY a "ja"><!ENTITY b "&a;&a;&a;">]>${svg('<text>&b;</text>').toString()}`));
    it('an SVG that reads a file through an entity', () =>
      refuses(`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>').toString()}`));
    it('an SVG with an entity that XML does not have', () => refuses(svg('<text>&nbsp;</text>')));
    it('an SVG in another namespace', () => refuses('<svg xmlns="http://www.w3.org/1999/xhtml"></svg>'));
    it('an SVG that is not closed', () => refuses('<svg xmlns="http://www.w3.org/2000/svg"><g>'));
    it('an SVG of more than 1 MiB of drawing', () =>
      refuses(svg(`<path d="${'M0 0'.repeat(270_000)}"/>`), /más de 1024 KiB/));
    it('an SVG of more than 20 000 elements', () => refuses(svg('<g/>'.repeat(20_001)), /más de 20000 elementos/));
    it('an SVG of a thousand levels', () => refuses(svg(`${'<g>'.repeat(1_000)}${'</g>'.repeat(1_000)}`)));
    it('an SVG so narrow that nothing is left of it', () =>
      refuses('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="100000"><rect width="1" height="9"/></svg>'));
    it('an SVG with a size of nothing', () =>
      refuses('<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>'));

    it('an SVG that is not drawn within five seconds of CPU time', async () => {
      await assert.rejects(
        images.logo(endlessSvg(), TEST_PERMIT),
        // A busy machine does not give it five seconds in time.
        (error) =>
          error instanceof ChildUnavailable ||
          (error instanceof ImageRefused && /tarda demasiado/.test(String(error.cause))),
      );
    });
  });
});

describe('images of several businesses', () => {
  it('one business waits for at most one drawing of another that uploads expensive ones continuously', async () => {
    const images = createImages();
    const left = new AbortController();
    let drawn = 0;
    const busy = Array.from({ length: 3 }, () =>
      images
        .logo(endlessSvg(), { key: 'busy', signal: left.signal })
        .catch(() => undefined)
        .then(() => (drawn += 1)),
    );

    await images.logo(await png({ width: 90, height: 60 }), { key: 'other' });

    assert.ok(drawn <= 1, `${drawn} expensive ones`);
    left.abort();
    await Promise.all(busy);
  });

  it('signatures have a queue apart from the one for logos', async () => {
    const images = createImages();
    const left = new AbortController();
    let drawn = 0;
    const logos = ['a', 'b', 'c'].map((key) =>
      images
        .logo(endlessSvg(), { key, signal: left.signal })
        .catch(() => undefined)
        .then(() => (drawn += 1)),
    );
    const empty = await png({ width: 90, height: 60 });

    await images.signature(empty, { key: 'a' }).catch(() => undefined);

    assert.equal(drawn, 0);
    left.abort();
    await Promise.all(logos);
  });

  it('a disconnected caller frees the permit: the drawing process is killed', async () => {
    const images = createImages();
    // Those that former tests killed take a moment to end.
    await eventually(() => assert.equal(childProcesses(), 0));
    const caller = new AbortController();
    const left = images.logo(endlessSvg(), { key: 'a', signal: caller.signal });
    const next = images.logo(await png({ width: 90, height: 60 }), { key: 'a' });
    await eventually(() => assert.equal(childProcesses(), 1));

    caller.abort();

    await assert.rejects(left, ChildUnavailable);
    await eventually(() => assert.equal(childProcesses(), 0), 2_000);
    await inTime(2_000, next);
  });
});
