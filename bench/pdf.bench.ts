import { access } from 'node:fs/promises';
import PdfKit from 'pdfkit';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { createImages } from '../adapters/images/images.ts';
import { createPdfRenderer } from '../adapters/pdf/renderer.ts';
import type { QuoteDrawing } from '../domain/quote-drawing.ts';
import { drawing, html, richDrawing, signedDrawing } from './lib/documents.ts';
import { costs, interleave, repeat, times, type Variant } from './lib/measure.ts';
import { atLeast, atMost, type Bench, type Findings, type Row } from './lib/row.ts';

/** Goal 5: the service's document against a browser that prints the same page, and against the drawing library alone. */
export const row: Row = {
  name: 'pdf',
  title: 'one quote as PDF, with 10 and 200 lines',
  quick: true,
  shortfall: `Every cell is tagged for screen readers as marked content and as an object of the file, unlike the bare page. Of the time for 200 lines, 43 % is our layout, texts and content, 21 % pdfkit (the objects of the tags), 18 % garbage collection, 11 % exact amounts, 7 % compression. Fewer tags would reduce the cost, and make the table unreadable for screen readers. 200 lines in Chinese fill 18 pages instead of 13: 39 % is layout and content, 14 % pdfkit, 14 % garbage collection, 14 % line breaking and the choice of fonts, 7 % amounts, 5 % compression, 5 % the glyphs in the file, 1 % shaping. The largest legal logo contains noise, 0.6 megabytes after re-encoding. It adds one copy into memory that both threads see, a comparison with the last logo of the business, one copy into the file, and garbage collection of larger files, which is 12 % of all instead of 8 %. A thread removes a logo's transparency once, in about 12 ms; the warm-up includes that.`,
  run: measurePdf,
};

const TURN = { key: 'bench', wait: 'always' } as const;
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** How many documents one run draws, by lines. */
const COUNT = { 10: 30, 200: 6 } as const;
type Lines = keyof typeof COUNT;
const RICH = 'ours, 10 lines with all that a quote may have';
const SIGNED = 'ours, 10 lines signed, with the certificate';
/** As long as the Latin names. */
const SCRIPTS = {
  Arabic: 'كرسي مكتبي دوار مع مسند للذراعين والظهر',
  CJK: '高级办公椅带扶手可调节高度旋转网布靠背电脑椅人体工学设计舒适透气坐垫耐用',
} as const;

async function measurePdf(bench: Bench): Promise<Findings> {
  const renderer = createPdfRenderer();
  bench.after(() => renderer.close());
  const plain = { 10: drawing(10), 200: drawing(200) };
  const bytes = async (lines: Lines) => (await renderer.render(plain[lines], TURN)).length / 1_024;
  // Every cell is tagged for screen readers, which is most of a long document.
  const facts = [
    { what: '10 lines without a logo', value: await bytes(10), unit: 'KiB', goal: { most: 20 } },
    { what: '200 lines without a logo', value: await bytes(200), unit: 'KiB', goal: { most: 160 } },
  ];
  if (bench.quick) return { facts };

  const { png: logo } = await createImages().logo(await largestLogo(), TURN);
  const branded = drawing(10, { branding: { logoKey: 't/logo.png' } });
  const accented = drawing(10, { notes: 'Łódź, € 1 000, ñandú, Ω' });
  const rendered = (name: string, lines: Lines, what: QuoteDrawing, image: Buffer | null = null): Variant => ({
    name,
    operations: COUNT[lines],
    run: () => repeat(COUNT[lines], () => renderer.render(what, TURN, image)),
  });
  const variants: Variant[] = [
    rendered('ours, 10 lines', 10, plain[10]),
    rendered('ours, 200 lines', 200, plain[200]),
    rendered('ours, 10 lines with the largest logo', 10, branded, logo),
    rendered('ours, 10 lines beyond Latin-1', 10, accented),
    rendered(RICH, 10, richDrawing(10)),
    rendered(SIGNED, 10, signedDrawing(10)),
    ...([10, 200] as const).map((lines) => ({
      name: `pdfkit alone, ${lines} lines`,
      operations: COUNT[lines],
      run: () => repeat(COUNT[lines], () => bare(plain[lines])),
    })),
  ];
  for (const [script, name] of Object.entries(SCRIPTS)) {
    const lines = plain[200].lines.map((line, n) => ({ ...line, productName: `${name} ${n + 1}` }));
    variants.push(rendered(`ours, 200 lines of ${script}`, 200, { ...plain[200], lines }));
  }
  const browser = await openBrowser(bench);
  if (browser) {
    for (const lines of [10, 200] as const) {
      const markup = html(plain[lines]);
      variants.push({
        name: `Chromium, ${lines} lines`,
        operations: 3,
        run: () => repeat(3, () => browser.print(markup)),
      });
    }
  }
  const samples = await interleave(variants, { rounds: bench.rounds, warm: 2 });
  // A browser is a dozen processes that come and go, so it is compared by wall time, which is kind to it: two cores.
  const browserRatios = browser
    ? ([10, 200] as const).map((lines) =>
        atLeast(
          lines === 10 ? 30 : 10,
          `${lines} lines, against warm Chromium (wall time)`,
          times(samples, `ours, ${lines} lines`, `Chromium, ${lines} lines`, 'wallUs'),
        ),
      )
    : [];
  return {
    samples: [samples],
    ratios: [
      ...browserRatios,
      ...([10, 200] as const).map((lines) =>
        atMost(
          1.3,
          `cost of ${lines} lines vs. pdfkit alone`,
          costs(samples, `ours, ${lines} lines`, `pdfkit alone, ${lines} lines`),
        ),
      ),
      ...Object.keys(SCRIPTS).map((script) =>
        atMost(
          4,
          `cost of 200 lines of ${script} vs. Latin`,
          costs(samples, `ours, 200 lines of ${script}`, 'ours, 200 lines'),
        ),
      ),
      atMost(
        1.5,
        'cost of the largest legal logo vs. none',
        costs(samples, 'ours, 10 lines with the largest logo', 'ours, 10 lines'),
      ),
      atMost(
        4,
        'cost of letters beyond Latin-1 vs. Helvetica',
        costs(samples, 'ours, 10 lines beyond Latin-1', 'ours, 10 lines'),
      ),
      { what: 'cost of a rich quote vs. a plain one', values: costs(samples, RICH, 'ours, 10 lines') },
      { what: 'cost of a signed quote vs. an unsigned one', values: costs(samples, SIGNED, 'ours, 10 lines') },
    ],
    facts,
    notes: browser ? [] : ['No Chromium was found.'],
  };
}

/** As large as an upload may be: noise does not compress, and it has an alpha channel. */
const largestLogo = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 700,
      height: 350,
      channels: 4,
      background: '#00000000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .png()
    .toBuffer();

async function openBrowser(bench: Bench): Promise<{ print: (markup: string) => Promise<unknown> } | undefined> {
  for (const executablePath of CHROMIUM) {
    try {
      await access(executablePath);
    } catch {
      continue;
    }
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    bench.after(() => browser.close());
    return {
      async print(markup) {
        const page: Page = await browser.newPage();
        await page.setContent(markup);
        await page.pdf({ format: 'A4' });
        await page.close();
      },
    };
  }
  return undefined;
}

/** The same content with the library and nothing else: no tags, no measuring, no second look. */
function bare(what: QuoteDrawing): Promise<number> {
  return new Promise((resolve, reject) => {
    const doc = new PdfKit({ size: 'A4', margin: 48 });
    let bytes = 0;
    doc.on('data', (chunk: Buffer) => (bytes += chunk.length));
    doc.on('end', () => resolve(bytes));
    doc.on('error', reject);
    doc.font('Helvetica-Bold').fontSize(15).text(what.business.companyName);
    doc
      .font('Helvetica')
      .fontSize(9)
      .text(`${what.business.address ?? ''}\n${what.business.phone ?? ''} ${what.business.email ?? ''}`);
    doc.fontSize(21).text(`COT-${what.quoteNumber}`).fontSize(9);
    doc.text(`${what.client.contactName}\n${what.client.companyName ?? ''}\n${what.client.email ?? ''}`);
    for (const line of what.lines) {
      if (doc.y > 760) doc.addPage();
      const { y } = doc;
      doc.text(line.productName, 48, y, { width: 240 });
      doc.text(String(line.quantity), 300, y, { width: 40, align: 'right' });
      doc.text(line.unitPrice, 350, y, { width: 80, align: 'right' });
      doc.text(line.amount, 440, y, { width: 100, align: 'right' });
      doc
        .moveTo(48, doc.y + 3)
        .lineTo(547, doc.y + 3)
        .lineWidth(0.5)
        .stroke('#d6dce2');
      doc.y += 8;
    }
    for (const [label, amount] of [
      ['Subtotal', what.subtotal],
      ['IVA', what.tax],
      ['Total', what.total],
    ] as const) {
      const { y } = doc;
      doc.text(label, 350, y, { width: 80 }).text(amount, 440, y, { width: 100, align: 'right' });
    }
    doc.text(what.notes, 48);
    doc.end();
  });
}
