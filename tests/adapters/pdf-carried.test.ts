import assert from 'node:assert/strict';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import { Decimal } from '../../domain/money.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { Locale } from '../../domain/locale.ts';
import { drawingOf, line } from './pdf-drawings.ts';
import { readPdf } from './pdf-text.ts';
import { TEST_PERMIT } from './test-permit.ts';

const CARRIED = {
  'es-MX': [/Suma y sigue \$([\d,.]+)/g, /Suma anterior \$([\d,.]+)/g],
  'en-US': [/Carried forward \$([\d,.]+)/g, /Brought forward \$([\d,.]+)/g],
  'pt-BR': [/A transportar \$\s([\d.,]+)/g, /Transporte \$\s([\d.,]+)/g],
} as const satisfies Record<Locale, readonly [foot: RegExp, head: RegExp]>;

/** The first page, from 0, of each line «Partida-0.», «Partida-1.», … */
const pageOfLine = (pages: readonly string[], index: number): number =>
  pages.findIndex((text) => text.includes(`Partida-${index}.`));

const amounts = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, amount = '']) => amount.replaceAll(',', ''));

describe('The sums that a table of several pages carries forward', () => {
  const pdf = createPdfRenderer();
  after(() => pdf.close());
  const read = async (drawing: QuoteDrawing) => readPdf(await pdf.render(drawing, TEST_PERMIT));

  /** For each page but the last of the table: the sum of the lines that start on it or before and count. */
  const expected = ({ lines }: QuoteDrawing, pages: readonly string[]): string[] => {
    const starts = lines.map((_, index) => pageOfLine(pages, index));
    return Array.from({ length: Math.max(...starts) }, (_, page) =>
      lines
        .filter(({ counts }, index) => counts && (starts[index] ?? 0) <= page)
        .reduce((sum, { amount }) => sum.plus(amount), new Decimal(0))
        .toFixed(2),
    );
  };

  const assertCarried = (drawing: QuoteDrawing, pages: readonly string[]) => {
    const sums = expected(drawing, pages);
    const [foot, head] = CARRIED['es-MX'];
    assert.deepEqual(
      pages.map((text) => amounts(text, foot)),
      pages.map((_, page) => sums.slice(page, page + 1)),
    );
    assert.deepEqual(
      pages.map((text) => amounts(text, head)),
      pages.map((_, page) => (page === 0 ? [] : sums.slice(page - 1, page))),
    );
  };

  const numbered = (count: number, more: (index: number) => Parameters<typeof line>[1] = () => ({})) =>
    Array.from({ length: count }, (_, index) =>
      line(`Partida-${index}.`, { unitPrice: `${index}.37`, ...more(index) }),
    );

  for (const paper of ['LETTER', 'A4'] as const) {
    for (let count = 15; count <= 60; count += 3) {
      it(`are the amounts printed so far, at the foot and at the next head: ${count} lines on ${paper}`, async () => {
        const drawing = drawingOf(numbered(count), { paper });

        const { pages, pieces } = await read(drawing);

        assertCarried(drawing, pages);
        const lowest = Math.min(...pieces.filter(({ text }) => text.startsWith('Suma y sigue')).map(({ y }) => y));
        assert.ok(lowest > 62, `the foot of the table is at ${lowest}, in the margin`);
      });
    }
  }

  it('have lines that count only, before the discount of the document, across sections', async () => {
    const drawing = drawingOf(
      numbered(70, (index) => ({
        section: index < 10 ? null : `Sección ${Math.floor(index / 7)}`,
        ...(index % 5 === 0 && { optional: true, counts: false }),
        ...(index % 11 === 0 && { discountPct: '12.50' }),
      })),
      { discount: { percent: '10.00', before: '1000.00', amount: '100.00' } },
    );

    const { pages } = await read(drawing);

    assert.ok(pages.length > 3, `${pages.length} pages`);
    assertCarried(drawing, pages);
  });

  it('include the amount of a row that continues on the next page, which stands at its beginning', async () => {
    for (const words of [300, 700, 1500]) {
      const long = (index: number) => ({
        description: index % 4 === 2 ? 'resistente al agua '.repeat(words / 3) : null,
      });
      const drawing = drawingOf(numbered(9, long));

      const { pages } = await read(drawing);

      assert.ok(pages.length > 1);
      const starts = drawing.lines.map((_, index) => pageOfLine(pages, index));
      const [foot, head] = CARRIED['es-MX'];
      for (const [page, text] of pages.slice(0, Math.max(...starts)).entries()) {
        const sum = drawing.lines
          .filter((_, index) => (starts[index] ?? 0) <= page)
          .reduce((total, { amount }) => total.plus(amount), new Decimal(0));
        assert.deepEqual(amounts(text, foot), [sum.toFixed(2)]);
        assert.deepEqual(amounts(pages[page + 1] ?? '', head), [sum.toFixed(2)]);
      }
    }
  });

  it('leave the lower margin free, and section headings and subtotals with their rows, whatever the heights of rows', async () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const lines = numbered(40, (index) => ({
        section: index % 13 < 3 ? null : `Sección-${Math.floor(index / ((seed % 5) + 1))}.`,
        description: 'resistente al agua '.repeat((index * seed * 7) % 83),
      }));

      const { pages, pieces } = await read(drawingOf(lines, { paper: seed % 2 ? 'LETTER' : 'A4' }));

      // The footer's baseline is lower than 40.
      assert.deepEqual(
        pieces.filter(({ text, y }) => text !== '' && y > 40 && y < 62).map(({ text }) => text),
        [],
      );
      const text = pages.join(' ¶ ');
      assert.doesNotMatch(text, /(?<!Subtotal de )Sección-\d+\. (?:Suma y sigue|[^¶]{0,60}¶)/);
      assert.doesNotMatch(text, /Suma anterior \S+ Subtotal de/);
    }
  });

  it('are absent from a table of one page, even when the document has more', async () => {
    const { pages } = await read(drawingOf(numbered(5), { terms: 'Plazo de entrega de diez días. '.repeat(150) }));

    assert.ok(pages.length > 1);
    assert.deepEqual(
      pages.flatMap((text) => CARRIED['es-MX'].flatMap((pattern) => amounts(text, pattern))),
      [],
    );
  });

  for (const locale of ['es-MX', 'en-US', 'pt-BR'] as const) {
    it(`have the words of ${locale}`, async () => {
      const { pages } = await read(drawingOf(numbered(60), { locale }));

      const [foot, head] = CARRIED[locale];
      assert.equal(amounts(pages[0] ?? '', foot).length, 1, pages[0] ?? '');
      assert.equal(amounts(pages[1] ?? '', head).length, 1, pages[1] ?? '');
    });
  }

  it('are no rows for screen readers, whose table has only the rows of the quote', async () => {
    const bytes = await pdf.render(drawingOf(numbered(60)), TEST_PERMIT);

    // The heading, 60 lines, and three sums. Structure elements are not compressed.
    assert.equal(bytes.toString('latin1').match(/\/S \/TR\b/g)?.length, 64);
  });

  it('leave rows of equal width: the heading and the subtotal of a section cover the other columns', async () => {
    const lines = numbered(2, () => ({ section: 'Obra' }));

    const text = (await pdf.render(drawingOf(lines), TEST_PERMIT)).toString('latin1');

    assert.deepEqual(text.match(/\/ColSpan \d/g), ['/ColSpan 4', '/ColSpan 3']);
  });

  it('do not change from one rendering to the next', async () => {
    const drawing = drawingOf(numbered(60));

    const [first, second] = [await pdf.render(drawing, TEST_PERMIT), await pdf.render(drawing, TEST_PERMIT)];

    assert.deepEqual(first, second);
  });
});
