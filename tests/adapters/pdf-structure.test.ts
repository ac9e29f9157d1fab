import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import { entryArguments } from '../own-process.ts';
import { drawingOf, line } from './pdf-drawings.ts';
import { readPdf } from './pdf-text.ts';
import { TEST_PERMIT } from './test-permit.ts';

const run = promisify(execFile);

/** Texts in many scripts; text extraction must return what was typed. */
const SCRIPTS = {
  Polish: 'Zażółć gęślą jaźń, Łódź',
  Czech: 'Příliš žluťoučký kůň úpěl ďábelské ódy',
  Turkish: 'İstanbul’da şişe çiğ köfte ğüneş',
  Vietnamese: 'Đà Nẵng: xi măng Pooclăng hỗn hợp',
  Romanian: 'Țevi și șuruburi în București',
  Greek: 'Τσιμέντο Πόρτλαντ, άνοδος ΰψωση',
  Cyrillic: 'Цемент М500, Ёлка, Їжак, Ђурђевдан',
  Chinese: '水泥 硅酸盐水泥袋装',
  Japanese: 'セメント 普通ポルトランド 袋詰め',
  Korean: '포틀랜드 시멘트 포대',
  Symbols: '₹ → ≤ ½ ° Ø № ∑',
} as const;

describe('the PDF of a quote, as a structure', () => {
  const pdf = createPdfRenderer();
  after(() => pdf.close());

  for (const [script, text] of Object.entries(SCRIPTS)) {
    it(`gives back ${script} in names, models, notes and the client’s name: «${text}»`, async () => {
      const base = drawingOf([line(text, { model: text })], { notes: text });
      const drawing = { ...base, client: { ...base.client, companyName: text } };

      const read = await readPdf(await pdf.render(drawing, TEST_PERMIT));

      assert.equal(read.text.split(text).length - 1, 4, read.text);
    });
  }

  it('gives back Hebrew, Arabic and emoji letter by letter, whatever their order on the page', async () => {
    const texts = ['שלום עולם', 'مرحبا', '🚚🎉'];

    const { text } = await readPdf(await pdf.render(drawingOf(texts.map((name) => line(name))), TEST_PERMIT));

    const missing = texts
      .join('')
      .match(/[^\s]/gu)
      ?.filter((letter) => !text.normalize('NFKC').includes(letter));
    assert.deepEqual(missing, []);
    assert.doesNotMatch(text, /□/);
  });

  it('has each of 1 000 items once, in their order, and every page numbered', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => line(`Partida-${index}`));

    const { pages, text } = await readPdf(await pdf.render(drawingOf(lines), TEST_PERMIT));

    const numbers = Array.from(text.matchAll(/Partida-(\d+)/g), ([, number]) => Number(number));
    assert.deepEqual(numbers, Array.from(lines.keys()));
    assert.ok(pages.length >= 34 && pages.length <= 42, `${pages.length} pages`);
    assert.deepEqual(
      pages.map((page) => /Página (\d+ de \d+)/.exec(page)?.[1]),
      pages.map((_, index) => `${index + 1} de ${pages.length}`),
    );
  });

  it('is tagged for screen readers: one H1, headings, tables with headers, and pictures with words', async () => {
    const logo = await sharp({ create: { width: 60, height: 20, channels: 3, background: '#0b7a5b' } }).png().toBuffer(); // prettier-ignore
    const branding = { logoKey: 't/c1/logo/9f86.png' };

    const read = await readPdf(
      await pdf.render(drawingOf([line('Cemento')], { branding, notes: 'una nota' }), TEST_PERMIT, logo),
    );

    const tags = read.tags.flat();
    const count = (name: string) => tags.filter((tag) => tag === name).length;
    assert.equal(read.isMarked, true);
    assert.deepEqual([count('H1'), count('Figure'), count('Link')], [1, 1, 1]);
    // PARA, IMPORTE CON LETRA, NOTAS; the items and the sums.
    assert.deepEqual([count('H2'), count('Table')], [3, 2]);
    // Four headings of columns, three of sums.
    assert.equal(count('TH'), 7);
    assert.deepEqual(read.figures, ['Logotipo de Ferretería del Bajío']);
  });

  it('opens a mail to the seller with the quote’s number as its subject', async () => {
    const { links } = await readPdf(await pdf.render(drawingOf([line('Cemento')]), TEST_PERMIT));

    assert.deepEqual(links, ['mailto:ana@ferrebajio.example?subject=Cotizaci%C3%B3n%20COT-12']);
  });

  it('makes no link of an address that could smuggle something into it', async () => {
    const seller = { name: 'Ana', email: 'ana@x.example?bcc=otro@x.example' };

    const { links, text } = await readPdf(await pdf.render(drawingOf([line('Cemento')], { seller }), TEST_PERMIT));

    assert.deepEqual(links, []);
    assert.match(text, /ana@x\.example\?bcc=otro@x\.example/);
  });

  it('does not leave the closing lines alone on a page', async () => {
    const lastPages = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6].flatMap((notes) =>
        [16, 17, 18, 19, 20, 21, 22].map(async (items) => {
          const lines = Array.from({ length: items }, (_, index) => line(`Artículo ${index}`));
          const drawing = drawingOf(lines, { notes: 'una nota\n'.repeat(notes) });
          return (await readPdf(await pdf.render(drawing, TEST_PERMIT))).pages.at(-1) ?? '';
        }),
      ),
    );

    assert.deepEqual(lastPages.filter((page) => !/Artículo|NOTAS/.test(page)), []); // prettier-ignore
  });

  it('holds a thousand items in ever changing faces within a small part of the thread’s memory', async () => {
    const patient = createPdfRenderer({ deadlineMs: 50_000, maxHeapMb: 96 });
    const lines = Array.from({ length: 1000 }, () => line('水x'.repeat(60)));

    const bytes = await patient.render(drawingOf(lines), TEST_PERMIT);

    await patient.close();
    assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
  });

  it('has the same bytes in another process, whatever its time zone and language', async () => {
    const script = entryArguments('tests/adapters/pdf-digests.ts');
    const digests = async (env: Record<string, string>) =>
      (await run(process.execPath, script, { env: { PATH: process.env['PATH'], ...env } })).stdout;

    const [here, there] = await Promise.all([
      digests({ TZ: 'America/Mexico_City', LANG: 'es_MX.UTF-8' }),
      digests({ TZ: 'Asia/Tokyo', LANG: 'C' }),
    ]);

    assert.match(here, /^([0-9a-f]{64}\n){6}$/);
    assert.equal(there, here);
  });
});
