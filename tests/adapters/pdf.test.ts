import assert from 'node:assert/strict';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import { fingerprint } from '../../adapters/pdf/fingerprint.ts';
import { createLook } from '../../adapters/pdf/theme.ts';
import { drawingOf, line } from './pdf-drawings.ts';
import { readPdf } from './pdf-text.ts';
import { TEST_PERMIT } from './test-permit.ts';

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

describe('the PDF of a quote', () => {
  const pdf = createPdfRenderer();
  after(() => pdf.close());

  const read = async (drawing: ReturnType<typeof drawingOf>) => readPdf(await pdf.render(drawing, TEST_PERMIT));

  it('names the quote, the business, the client, the seller and both dates', async () => {
    const { text } = await read(drawingOf([line('Taladro')]));

    assert.match(text, /Cotización COT-12/);
    assert.match(
      text,
      /Ferretería del Bajío Av\. Constituyentes 120, Querétaro \+52 442 123 4567 · ventas@ferrebajio\.example/,
    );
    assert.match(text, /PARA Construcciones Núñez Jorge Núñez jorge@nunez\.example 442 987 6543/);
    assert.match(text, /Fecha de emisión 5 de marzo de 2026/);
    assert.match(text, /Vigente hasta 20 de marzo de 2026/);
    assert.match(text, /Le atiende Ana Peña · ana@ferrebajio\.example/);
    assert.match(text, /Esta cotización no es un comprobante fiscal/);
    assert.match(text, /Página 1 de 1/);
  });

  it('lists product, model, quantity, price and amount of each line, then the totals', async () => {
    const { text } = await read(
      drawingOf([line('Taladro 750 W', { model: 'TP-750', quantity: 1200, unitPrice: '1899.125' })]),
    );

    assert.match(text, /Concepto Cantidad Precio unitario Importe/);
    assert.match(text, /Taladro 750 W TP-750 1,200 \$1,899\.125 \$2,278,950\.00/);
    assert.match(text, /Subtotal \$2,278,950\.00 IVA \(16 %\) \$364,632\.00 Total \$2,643,582\.00 MXN/);
  });

  it('has a discount column when one line has a discount', async () => {
    const { text } = await read(drawingOf([line('Cemento', { discountPct: '12.50' }), line('Varilla')]));

    assert.match(text, /Precio unitario Descuento Importe/);
    assert.match(text, /Cemento 1 \$10\.00 12\.5 % \$8\.75/);
    assert.match(text, /Varilla 1 \$10\.00 — \$10\.00/);
  });

  it('shows shipping when there is some', async () => {
    const { text } = await read(drawingOf([line('Cemento')], { shippingCost: '99.90' }));

    assert.match(text, /Envío \$99\.90 Total \$111\.50 MXN/);
  });

  it('does not mention shipping or discounts when there are none', async () => {
    const { text } = await read(drawingOf([line('Cemento')]));

    assert.doesNotMatch(text, /Envío|Descuento/);
  });

  it('shows an IVA of 0 % where the rate is zero', async () => {
    const { text } = await read(drawingOf([line('Libro')], { taxRate: '0.0000' }));

    assert.match(text, /IVA \(0 %\) \$0\.00 Total \$10\.00 MXN/);
  });

  it('writes large amounts digit by digit, without passing through a float', async () => {
    const { text } = await read(drawingOf([line('Obra', { unitPrice: '999999999.999999', quantity: 10 })]));

    assert.match(text, /10 \$999,999,999\.999999 \$10,000,000,000\.00/);
  });

  it('uses the sign of the currency and names its code', async () => {
    const { text } = await read(drawingOf([line('Cable')], { currency: 'EUR' }));

    assert.match(text, /Total €11\.60 EUR/);
  });

  it('shows HTML in names and notes as the characters that were typed', async () => {
    const html = '<img src=x onerror=alert(1)><b>x</b>';

    const { text } = await read(drawingOf([line(html)], { notes: `${html} &amp;` }));

    assert.equal(count(text, /<img src=x onerror=alert\(1\)><b>x<\/b>/g), 2);
    assert.match(text, /<b>x<\/b> &amp;/);
  });

  it('keeps the line breaks of notes and drops control characters', async () => {
    const { text } = await read(drawingOf([line('Cemento')], { notes: 'uno\r\ndos\u0007\u001b[31m\ntr\u202Ees' }));

    assert.match(text, /NOTAS uno dos\[31m tres /);
  });

  it('writes Latin, Greek, Cyrillic and Chinese that Helvetica lacks, and the sign of the rupee', async () => {
    const { text } = await read(drawingOf([line('Łódź Ωmega Жук 中文 ₹'), line('ﬁn żółć')]));

    assert.match(text, /Łódź Ωmega Жук 中文 ₹ 1/);
    assert.match(text, /żółć 1/);
  });

  it('writes every character of WinAnsi with the standard font', async () => {
    const bytes = await pdf.render(drawingOf([line('“Señal” – €5 • Œuvre™ … ‰ ÿ Š')]), TEST_PERMIT);

    assert.match((await readPdf(bytes)).text, /“Señal” – €5 • Œuvre™ … ‰ ÿ Š/);
    assert.equal(bytes.includes('FontFile2'), false);
  });

  it('shows a box for each letter that no face has', async () => {
    const { text } = await read(drawingOf([line('caja ไทย \u{10ffff} fin')]));

    assert.match(text, /caja □□□ □ fin/);
  });

  it('writes Chinese, Japanese and Korean inside Spanish text', async () => {
    const bytes = await pdf.render(drawingOf([line('Cemento 水泥袋 セメント 시멘트 50 kg')]), TEST_PERMIT);

    assert.match((await readPdf(bytes)).text, /Cemento 水泥袋 セメント 시멘트 50 kg 1/);
    assert.match(bytes.toString('latin1'), /BaseFont \/\w+\+NotoSansHans-Regular/);
    assert.match(bytes.toString('latin1'), /BaseFont \/\w+\+NotoSansKR-Regular/);
  });

  it('draws emoji, Hebrew and Arabic with glyphs of their own and no box', async () => {
    const bytes = await pdf.render(
      drawingOf([line('🎉 👨‍👩‍👧 🇲🇽 ❤️ 👍🏽'), line('שלום (COT-12)'), line('مرحبا ٥٠')]),
      TEST_PERMIT,
    );

    const { text } = await readPdf(bytes);
    assert.doesNotMatch(text, /□/);
    assert.match(text, /🎉/u);
    assert.match(bytes.toString('latin1'), /BaseFont \/\w+\+NotoEmoji-Regular/);
    assert.match(bytes.toString('latin1'), /BaseFont \/\w+\+DejaVuSans\b/);
  });

  it('breaks Chinese text without spaces at the end of the line', async () => {
    const { text } = await read(drawingOf([line(`Cemento ${'水泥是一种粉状水硬性'.repeat(30)}`)]));

    assert.equal(count(text.replaceAll(' ', ''), /水泥是一种粉状水硬性/g), 30);
  });

  it('draws 300 emoji of notes', async () => {
    const { text } = await read(drawingOf([line('Cemento')], { notes: '🚚'.repeat(300) }));

    assert.equal(count(text, /🚚/gu), 300);
  });

  it('has the same bytes whatever was drawn before', async () => {
    // A radical and the character that looks the same: they share a glyph.
    const [radical, character] = [drawingOf([line('\u2f54')]), drawingOf([line('\u6c34')])];
    const fresh = createPdfRenderer();
    const expected = await fresh.render(character, TEST_PERMIT);
    await fresh.close();

    await pdf.render(radical, TEST_PERMIT);

    assert.ok((await pdf.render(character, TEST_PERMIT)).equals(expected));
  });

  it('carries a watermark on every page of a FREE tenant', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => line(`Artículo ${index}`));

    const { pages } = await read(drawingOf(lines, { watermark: true }));

    assert.deepEqual(
      pages.map((page) => count(page, /VERSIÓN GRATUITA/g)),
      [1, 1, 1],
    );
  });

  it('carries no watermark otherwise', async () => {
    assert.doesNotMatch((await read(drawingOf([line('Cemento')]))).text, /GRATUITA/);
  });

  it('has title, author, subject, language and dates of the quote', async () => {
    const { info } = await read(drawingOf([line('Cemento')]));

    assert.equal(info['Title'], 'Cotización COT-12');
    assert.equal(info['Author'], 'Ferretería del Bajío');
    assert.equal(info['Subject'], 'Cotización para Construcciones Núñez');
    assert.equal(info['Language'], 'es-MX');
    assert.equal(info['CreationDate'], 'D:20260305180000Z');
    assert.equal(info['ModDate'], 'D:20260305180000Z');
  });

  it('has the same bytes for the same drawing', async () => {
    const drawing = drawingOf([line('Cemento'), line('Жук')], { notes: 'una nota', watermark: true });

    assert.ok((await pdf.render(drawing, TEST_PERMIT)).equals(await pdf.render(structuredClone(drawing), TEST_PERMIT)));
  });

  it('has each of 200 items once, also those with 2 000 characters, under a repeated heading', async () => {
    const name = (index: number) => `Artículo-${index}` + (index % 10 === 0 ? ' palabra'.repeat(248) : '');
    const lines = Array.from({ length: 200 }, (_, index) => line(name(index)));

    const { pages, text } = await read(drawingOf(lines));

    const numbers = Array.from(text.matchAll(/Artículo-(\d+)/g), ([, number]) => Number(number));
    assert.deepEqual(numbers, Array.from(lines.keys()));
    assert.equal(count(text, /palabra/g), 20 * 248);
    assert.equal(count(text, /Concepto Cantidad Precio unitario Importe/g), pages.length);
    // 20 rows of about half a page and 180 of a thirtieth.
    assert.ok(pages.length >= 15 && pages.length <= 22, `${pages.length} pages`);
    assert.match(pages.at(-1) ?? '', new RegExp(`Página ${pages.length} de ${pages.length}`));
  });

  it('continues a row that is taller than a page and keeps the totals with its end', async () => {
    const { pages } = await read(drawingOf([line('palabra '.repeat(1500))]));

    assert.deepEqual(
      pages.map((page) => /palabra/.test(page)),
      pages.map(() => true),
    );
    assert.match(pages.at(-1) ?? '', /palabra.*Subtotal.*Total \$11\.60 MXN/);
  });

  for (const items of [18, 19, 20, 21, 22, 23, 24, 25]) {
    it(`keeps the totals whole, on the page of the last row, above the foot of the page: ${items} items`, async () => {
      const lines = Array.from({ length: items }, (_, index) => line(`Artículo ${index}`));

      const drawing = drawingOf(lines, { shippingCost: '1.00' });
      const { pages, pieces } = await read(drawing);

      assert.match(pages.find((page) => page.includes('Subtotal')) ?? '', new RegExp(`Artículo ${items - 1} .*MXN`));
      const total = pieces.find(({ text }) => text === 'Total');
      assert.ok(total && total.y > createLook(drawing).page.bottom, `the base line of the total is at ${total?.y}`);
    });
  }

  it('wraps a word that is wider than its column', async () => {
    const { text } = await read(drawingOf([line('x'.repeat(500))]));

    assert.equal(count(text.replaceAll(' ', ''), /x{500}/g), 1);
  });
});

describe('the fingerprint of a drawing', () => {
  it('is SHA-256 in hex', () => {
    assert.match(fingerprint(drawingOf([line('Cemento')])), /^[0-9a-f]{64}$/);
  });

  it('does not depend on the order of members', () => {
    const drawing = drawingOf([line('Cemento')]);
    const reversed = Object.fromEntries(Object.entries(drawing).reverse()) as typeof drawing;

    assert.equal(fingerprint(reversed), fingerprint(drawing));
  });

  it('changes with the version', () => {
    assert.notEqual(fingerprint(drawingOf([line('a')], { version: 2 })), fingerprint(drawingOf([line('a')])));
  });

  it('changes with the order of the lines', () => {
    assert.notEqual(fingerprint(drawingOf([line('a'), line('b')])), fingerprint(drawingOf([line('b'), line('a')])));
  });

  it('changes with the plan, which draws the watermark', () => {
    assert.notEqual(fingerprint(drawingOf([line('a')], { watermark: true })), fingerprint(drawingOf([line('a')])));
  });
});
