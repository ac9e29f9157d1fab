import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import sharp from 'sharp';
import { contrast, readableOnWhite, textOn } from '../../adapters/pdf/color.ts';
import { fingerprint } from '../../adapters/pdf/fingerprint.ts';
import { logoOnPaper } from '../../adapters/pdf/logo-on-paper.ts';
import { readLogo } from '../../adapters/pdf/logo.ts';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import { StorageUnavailable } from '../../adapters/storage.ts';
import type { BrandingOfDrawing, QuoteDrawing } from '../../domain/quote-drawing.ts';
import { hexAt, transparentPngWith } from './image-files.ts';
import { drawingOf, line } from './pdf-drawings.ts';
import { readPdf } from './pdf-text.ts';
import { TEST_PERMIT } from './test-permit.ts';

const branded = (branding: Partial<BrandingOfDrawing>, more: Partial<QuoteDrawing> = {}) =>
  drawingOf([line('Cemento')], { ...more, branding: { logoKey: null, ...branding } });

const LOGO_KEY = 't/c1/logo/9f86.png';

const image = (width = 60, height = 20) => sharp({ create: { width, height, channels: 3, background: '#0b7a5b' } });

const signature = {
  type: 'drawn',
  data: null,
  signerName: 'Jorge Núñez',
  signerEmail: 'jorge@nunez.example',
  signedAt: '2026-03-07T18:04:09.000Z',
  certificate: null,
} as const;

/** Where the text starts, in points from the left. */
async function leftOf(bytes: Buffer, text: string): Promise<number> {
  const piece = (await readPdf(bytes)).pieces.find((candidate) => candidate.text === text);
  assert.ok(piece, `«${text}» is in the document`);
  return piece.x;
}

const imagesIn = (bytes: Buffer) => bytes.toString('latin1').match(/\/Subtype \/Image/g)?.length ?? 0;

describe('the branded PDF of a quote', () => {
  const warnings: Record<string, unknown>[] = [];
  const log = pino(new Writable({ write: (chunk, _encoding, done) => (warnings.push(JSON.parse(String(chunk))), done()) })); // prettier-ignore
  const pdf = createPdfRenderer({ log });
  beforeEach(() => (warnings.length = 0));
  after(() => pdf.close());

  for (const [family, regular, bold] of [
    ['Helvetica', 'Helvetica', 'Helvetica-Bold'],
    ['Times', 'Times-Roman', 'Times-Bold'],
    ['Courier', 'Courier', 'Courier-Bold'],
  ] as const) {
    it(`is set in ${regular} and ${bold} when the business chose ${family}`, async () => {
      const fonts = (await pdf.render(branded({ fontFamily: family }), TEST_PERMIT))
        .toString('latin1')
        .match(/BaseFont \/\S+/g);

      assert.deepEqual(new Set(fonts), new Set([`BaseFont /${regular}`, `BaseFont /${bold}`]));
    });
  }

  for (const [family, face] of [
    ['Helvetica', 'DejaVuSansCondensed'],
    ['Times', 'DejaVuSerifCondensed'],
    ['Courier', 'DejaVuSansMono'],
  ] as const) {
    it(`writes «Łódź» in ${face}, which goes with ${family}`, async () => {
      const drawing = { ...branded({ fontFamily: family }), lines: drawingOf([line('Łódź')]).lines };

      const bytes = await pdf.render(drawing, TEST_PERMIT);

      assert.match(bytes.toString('latin1'), new RegExp(`BaseFont /\\w+\\+${face}\\b`));
      assert.match((await readPdf(bytes)).text, /Łódź 1/);
    });
  }

  it('has the company at the left, in the middle or at the right', async () => {
    const at = async (headerLayout: 'left' | 'center' | 'right') =>
      leftOf(await pdf.render(branded({ headerLayout }), TEST_PERMIT), 'Ferretería del Bajío');

    const [left, center, right] = [await at('left'), await at('center'), await at('right')];

    assert.ok(left < 50 && center > 200 && center < 300 && right > 350, `${left} ${center} ${right}`);
  });

  it('has the footer of the business on every page', async () => {
    const drawing = { ...branded({ footerText: 'Precios sujetos a cambio' }), lines: drawingOf(Array.from({ length: 60 }, () => line('Cemento'))).lines }; // prettier-ignore

    const { pages } = await readPdf(await pdf.render(drawing, TEST_PERMIT));

    assert.equal(pages.length, 3);
    assert.ok(pages.every((page) => page.includes('Precios sujetos a cambio')));
  });

  it('has bank and CLABE, in groups', async () => {
    const bankInfo = { bankName: 'Banco del Centro', clabe: '032180000118359719' };

    const { text } = await readPdf(await pdf.render(branded({}, { bankInfo }), TEST_PERMIT));

    assert.match(text, /DATOS PARA EL PAGO Banco: Banco del Centro CLABE: 032 180 00011835971 9/);
  });

  it('has the total of a Mexican business in words, in pesos and dollars', async () => {
    const pesos = await readPdf(await pdf.render(drawingOf([line('Cemento', { unitPrice: '1000.00' })]), TEST_PERMIT));
    const dollars = await readPdf(await pdf.render(drawingOf([line('Cemento')], { currency: 'USD' }), TEST_PERMIT));
    const euros = await readPdf(await pdf.render(drawingOf([line('Cemento')], { currency: 'EUR' }), TEST_PERMIT));

    assert.match(pesos.text, /IMPORTE CON LETRA \(MIL CIENTO SESENTA PESOS 00\/100 M\.N\.\)/);
    assert.match(dollars.text, /IMPORTE CON LETRA \(ONCE DÓLARES 60\/100 USD\)/);
    assert.doesNotMatch(euros.text, /IMPORTE CON LETRA/);
  });

  it('is on A4 or on Letter', async () => {
    const a4 = await pdf.render(branded({}), TEST_PERMIT);
    const letter = await pdf.render(branded({}, { paper: 'LETTER' }), TEST_PERMIT);

    assert.match(a4.toString('latin1'), /MediaBox \[0 0 595\.28 841\.89\]/);
    assert.match(letter.toString('latin1'), /MediaBox \[0 0 612 792\]/);
  });

  for (const format of ['png', 'jpeg'] as const) {
    it(`has the logo, a ${format}`, async () => {
      const bytes = await pdf.render(
        branded({ logoKey: LOGO_KEY }),
        TEST_PERMIT,
        await image().toFormat(format).toBuffer(),
      );

      assert.equal(imagesIn(bytes), 1);
      assert.deepEqual(warnings, []);
    });
  }

  const BROKEN: readonly (readonly [string, (png: Buffer) => Promise<Buffer> | Buffer])[] = [
    ['cut in the middle', (png) => png.subarray(0, png.length / 2)],
    ['with damaged data', (png) => Buffer.concat([png.subarray(0, 60), Buffer.from([png[60] ? 0 : 1]), png.subarray(61)])],
    ['that is empty', () => Buffer.alloc(0)],
    ['that is no image', () => Buffer.from('<svg/>')],
    ['that is an interlaced PNG', () => image().png({ progressive: true }).toBuffer()],
    ['that is a WebP', () => image().webp().toBuffer()],
    ['that only starts as a JPEG', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0])],
  ]; // prettier-ignore
  for (const [which, damage] of BROKEN) {
    it(`is drawn without a logo ${which}, and the log says so`, async () => {
      const broken = await damage(await image().png().toBuffer());

      const bytes = await pdf.render(branded({ logoKey: LOGO_KEY }), TEST_PERMIT, broken);

      assert.equal(imagesIn(bytes), 0);
      assert.match((await readPdf(bytes)).text, /Cotización COT-12/);
      assert.equal(warnings[0]?.['logoKey'], LOGO_KEY);
    });
  }

  it('is drawn without a logo that kills the thread, and the log says so', async () => {
    const deadly = transparentPngWith(Buffer.from('no compressed data'));

    const bytes = await pdf.render(branded({ logoKey: LOGO_KEY }), TEST_PERMIT, deadly);

    assert.equal(imagesIn(bytes), 0);
    assert.match((await readPdf(bytes)).text, /Cotización COT-12/);
    assert.equal(warnings[0]?.['logoKey'], LOGO_KEY);
  });

  it('is drawn without a logo that is not in the storage, and the log says so', async () => {
    const bytes = await pdf.render(branded({ logoKey: LOGO_KEY }), TEST_PERMIT, null);

    assert.equal(imagesIn(bytes), 0);
    assert.deepEqual(warnings[0]?.['images'], ['logo']);
  });

  it('shows the drawn signature, who gave it and when', async () => {
    const png = await image().png().toBuffer();
    const data = `data:image/png;base64,${png.toString('base64')}`;

    const bytes = await pdf.render(branded({}, { signature: { ...signature, data } }), TEST_PERMIT);

    assert.equal(imagesIn(bytes), 1);
    assert.match(
      (await readPdf(bytes)).text,
      /FIRMA DE ACEPTACIÓN Jorge Núñez Firmado electrónicamente por Jorge Núñez \(jorge@nunez\.example\) el 7 de marzo de 2026, 12:04 \(UTC-6\)\./,
    );
  });

  it('shows a typed signature in an italic face', async () => {
    const bytes = await pdf.render(branded({}, { signature: { ...signature, type: 'typed' } }), TEST_PERMIT);

    assert.match(bytes.toString('latin1'), /BaseFont \/Times-Italic/);
    assert.match((await readPdf(bytes)).text, /FIRMA DE ACEPTACIÓN Jorge Núñez Jorge Núñez Firmado/);
  });

  for (const data of [
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:image/png;base64,AAAA',
    'https://evil.example/x.png',
  ]) {
    it(`writes the signer's name instead of a signature that cannot be drawn: ${data}`, async () => {
      const bytes = await pdf.render(branded({}, { signature: { ...signature, data } }), TEST_PERMIT);

      assert.equal(imagesIn(bytes), 0);
      assert.match((await readPdf(bytes)).text, /Jorge Núñez Jorge Núñez Firmado/);
      assert.deepEqual(warnings[0]?.['images'], ['signature']);
    });
  }

  /** A disc on transparency. */
  const disc = (fill: string) =>
    sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><circle cx="60" cy="40" r="38" fill="${fill}"/></svg>`)).png().toBuffer(); // prettier-ignore
  const uncompressed = (png: Buffer) => sharp(png).png({ compressionLevel: 0 }).toBuffer();
  const GROUNDS = [
    ['a coloured logo with transparency', LOGO_KEY, '#c00000', {}, '#ffffff'],
    ['a white logo', 't/c1/logo/9f86.light.png', '#ffffff', {}, '#1f4e79'],
    ['a white logo of a business in wine', 't/c1/logo/9f86.light.png', '#fff', { primaryColor: '#7a1f3d' }, '#7a1f3d'],
    ['a white logo of a business in yellow', 't/c1/logo/9f86.light.png', '#ffffee', { primaryColor: '#ffd400' }, null],
  ] as const; // prettier-ignore
  for (const [what, logoKey, fill, branding, ground] of GROUNDS) {
    it(`has ${what} on a ground on which it can be seen`, async () => {
      const drawing = branded({ ...branding, logoKey });
      const { file: onPaper } = await logoOnPaper(await disc(fill), drawing.branding);
      const { width, height } = await sharp(onPaper).metadata();

      const [corner, middle] = [await hexAt(onPaper, 1, 1), await hexAt(onPaper, width / 2, height / 2)];
      if (ground) assert.equal(corner, ground);
      assert.ok(contrast(corner, middle) >= 3, `${corner} ${middle}`);
      assert.equal(imagesIn(await pdf.render(drawing, TEST_PERMIT, await disc(fill))), 1);
      assert.deepEqual(warnings, []);
    });
  }

  it('has the logo of this file when an earlier file had the same key, and the same bytes when the file is the same', async () => {
    const { branding } = branded({ logoKey: LOGO_KEY });

    const [red, blue, again] = [
      await logoOnPaper(await disc('#c00000'), branding),
      await logoOnPaper(await disc('#0000c0'), branding),
      await logoOnPaper(await disc('#c00000'), branding),
    ];

    assert.deepEqual([await hexAt(red.file, 60, 40), await hexAt(blue.file, 60, 40)], ['#c00000', '#0000c0']);
    assert.ok(again.file.equals(red.file));
  });

  it('has the logo of this file when the document before had another of that length and key', async () => {
    const drawing = branded({ logoKey: LOGO_KEY });
    const [red, blue] = [await uncompressed(await disc('#c00000')), await uncompressed(await disc('#0000c0'))];
    assert.equal(red.length, blue.length);

    const first = await pdf.render(drawing, TEST_PERMIT, red);
    const second = await pdf.render(drawing, TEST_PERMIT, blue);

    assert.deepEqual([imagesIn(first), imagesIn(second)], [1, 1]);
    assert.ok(!second.equals(first));
    assert.ok((await pdf.render(drawing, TEST_PERMIT, red)).equals(first));
  });

  it('has no place for a signature when there is none', async () => {
    assert.doesNotMatch((await readPdf(await pdf.render(branded({}), TEST_PERMIT))).text, /FIRMA/);
  });

  it('has the same bytes for the same drawing, logo and signature', async () => {
    const png = await image().png().toBuffer();
    const data = `data:image/png;base64,${png.toString('base64')}`;
    const drawing = branded({ logoKey: LOGO_KEY, primaryColor: '#ffd400' }, { signature: { ...signature, data } });

    assert.ok((await pdf.render(drawing, TEST_PERMIT, png)).equals(await pdf.render(drawing, TEST_PERMIT, png)));
  });

  it('has another fingerprint with another logo or signature', () => {
    const prints = [
      branded({}),
      branded({ logoKey: LOGO_KEY }),
      branded({}, { signature: { ...signature, type: 'typed' } }),
    ].map(fingerprint);

    assert.equal(new Set(prints).size, 3);
  });
});

describe('the logo of a drawing', () => {
  const drawing = branded({ logoKey: LOGO_KEY });
  const away = new StorageUnavailable('could not read the storage');

  it('is null when the file is gone', async () => {
    const storage = { get: () => Promise.reject(away), exists: () => Promise.resolve(false) };

    assert.equal(await readLogo(storage, drawing), null);
  });

  it('is refused while the storage is away', async () => {
    const storage = { get: () => Promise.reject(away), exists: () => Promise.reject(away) };

    await assert.rejects(readLogo(storage, drawing), StorageUnavailable);
  });
});

describe('the colours of a PDF', () => {
  it('are white on a dark ground and dark on a light one', () => {
    assert.equal(textOn('#7a1f3d', '#1f2933'), '#ffffff');
    assert.equal(textOn('#ffd400', '#1f2933'), '#1f2933');
    assert.equal(textOn('#FD0', '#1f2933'), '#1f2933');
  });

  for (const color of ['#ffd400', '#ffffff', '#FFF', '#1f4e79', '#00ff00', '#777777']) {
    it(`can be read on white, made from ${color}`, () => {
      assert.ok(contrast(readableOnWhite(color), '#ffffff') >= 4.5);
    });
  }

  it('stay as they are when they can be read', () => {
    assert.equal(readableOnWhite('#1f4e79'), '#1f4e79');
  });
});
