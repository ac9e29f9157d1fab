import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { drawingOf, line } from './pdf-drawings.ts';
import { readPdf } from './pdf-text.ts';
import { TEST_PERMIT } from './test-permit.ts';

/** The drawing commands of all pages. */
const contentOf = (bytes: Buffer): string =>
  Array.from(
    bytes.toString('latin1').matchAll(/FlateDecode\s*>>\s*stream\r?\n([\s\S]*?)\r?\nendstream/g),
    ([, stream = '']) => inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'),
  ).join('\n');

describe('The PDF of a quote with sections, taxes, options, discount and terms', () => {
  const pdf = createPdfRenderer();
  after(() => pdf.close());
  const read = async (drawing: QuoteDrawing) => readPdf(await pdf.render(drawing, TEST_PERMIT));

  const rich = (more: Partial<QuoteDrawing> = {}): QuoteDrawing => ({
    ...drawingOf([
      line('Muro', { section: 'Obra', description: 'Tablaroca de 12 mm', unit: 'm²', quantity: 12.5 }),
      line('Puerta', { section: 'Obra', optional: true, counts: false }),
      line('Proyecto', { section: 'Honorarios', unitPrice: '1000.00' }),
      line('Barniz', { choice: 'Acabado' }),
    ]),
    displayNumber: 'F/2026-0007',
    title: 'Remodelación de oficinas',
    reference: 'OC-2041',
    discount: { percent: '5.00', before: '1135.00', amount: '56.75' },
    taxes: [
      { code: 'IVA16', name: 'IVA 16 %', kind: 'transfer', rate: '0.16', base: '1078.25', amount: '172.52' },
      { code: 'RET_IVA', name: 'Retención de IVA', kind: 'withholding', rate: '0.106667', base: '950.00', amount: '101.33' },
    ],
    deposit: { percent: '50.00', amount: '574.72', note: 'Al firmar' },
    terms: 'Contra entrega.',
    ...more,
  }); // prettier-ignore

  for (const paper of ['LETTER', 'A4'] as const) {
    it(`prints all of them on ${paper}`, async () => {
      const { text, pages } = await read(rich({ paper }));

      for (const printed of [
        'Cotización F/2026-0007', 'Remodelación de oficinas', 'OC-2041', 'Obra', 'Tablaroca de 12 mm', '12.5 m²',
        'Opcional, no incluido', 'Subtotal de Obra', '$125.00', 'Honorarios', 'Alternativa de Acabado, elegida',
        'Suma de las partidas', 'Descuento (5 %)', '-$56.75', 'IVA 16 %', 'Retención de IVA (10.6667 %)', '-$101.33',
        'ANTICIPO', '$574.72 MXN (50 %)', 'Al firmar', 'CONDICIONES', 'Contra entrega.',
      ])
        assert.ok(text.includes(printed), `${printed} is not in ${text}`); // prettier-ignore
      assert.equal(pages.length, 1);
    });
  }

  it('crosses out the amount of each line that does not count, in grey', async () => {
    const lines = [line('Muro'), line('Puerta', { optional: true, counts: false }), line('Piso', { optional: true })];

    const content = contentOf(await pdf.render(drawingOf(lines), TEST_PERMIT));

    // #5c6875
    assert.equal(content.match(/0\.3607\d* 0\.4078\d* 0\.4588\d* RG\n\S+ \S+ m\n\S+ \S+ l\nS\b/g)?.length, 1);
  });

  it('puts terms that do not fit under the totals on a page of their own', async () => {
    const { pages } = await read(rich({ terms: 'Plazo de entrega de diez días hábiles. '.repeat(100) }));

    assert.ok(pages.length > 1);
    assert.match(pages[1] ?? '', /^ ?(?:[^·]*)CONDICIONES/);
    assert.ok(!pages[0]?.includes('CONDICIONES'));
  });

  it('keeps the heading of a section with its first row', async () => {
    for (const count of [20, 21, 22, 23, 24, 25, 26, 27, 28]) {
      const lines = Array.from({ length: count }, (_, n) => line(`Partida ${n}`));
      const { pages } = await read(drawingOf([...lines, line('Primera', { section: 'Instalaciones' })]));

      const page = pages.find((text) => /Instalaciones/.test(text)) ?? '';
      assert.match(page, /Instalaciones.*Primera/);
    }
  });
});
