import assert from 'node:assert/strict';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import type { QuoteDrawing, SignatureOfDrawing } from '../../domain/quote-drawing.ts';
import { drawingOf, line } from './pdf-drawings.ts';
import { TEST_PERMIT } from './test-permit.ts';
import { type ReadPdf, readPdf } from './pdf-text.ts';

const COMPANY =
  'Comercializadora e Importadora de Materiales para la Construcción y Acabados Arquitectónicos del Noroeste de México y ' +
  'la Península de Baja California, Sociedad Anónima Promotora de Inversión de C.V. 12';
const PERSON =
  'Licenciada María Guadalupe de los Ángeles Hernández Castañeda viuda de Rodríguez y Fernández de Córdoba, Marquesa de ' +
  'las Torres del Campo Florido y de San Miguel de Aguayo, representante legal única (1)';
const LEFT = 48;

const typed = (signerName: string): SignatureOfDrawing => ({
  type: 'typed',
  data: signerName,
  signerName,
  signerEmail: 'firma@nunez.example',
  signedAt: '2026-03-07T18:04:09.123Z',
  certificate: null,
});

describe('the layout of a PDF', () => {
  const pdf = createPdfRenderer();
  after(() => pdf.close());
  const read = async (drawing: QuoteDrawing): Promise<ReadPdf> => readPdf(await pdf.render(drawing, TEST_PERMIT));

  /** The rows between two headings, from top to bottom. */
  function rowsBetween({ pieces }: ReadPdf, from: string, to: string): readonly string[] {
    const texts = pieces.map(({ text }) => text);
    const between = pieces.slice(texts.indexOf(from) + 1, texts.indexOf(to)).filter(({ text }) => text !== '');
    const rows = new Map<number, string>();
    for (const { text, y } of between)
      rows.set(Math.round(y), [rows.get(Math.round(y)), text].filter(Boolean).join(' '));
    return [...rows.values()];
  }

  for (const unitPrice of [
    '1234567.89',
    '777777.77',
    '21021021.21',
    '999999.99',
    '38179.08',
    '55151.44',
    '4500400.10',
  ]) {
    it(`spells ${unitPrice} in lines of about one length: none is less than a third of another`, async () => {
      const bankInfo = { bankName: 'Banco', clabe: '032180000118359719' };
      const drawing = drawingOf([line('Planta', { unitPrice })], { paper: 'LETTER', bankInfo });

      const rows = rowsBetween(await read(drawing), 'IMPORTE CON LETRA', 'DATOS PARA EL PAGO');

      const lengths = rows.map(({ length }) => length);
      assert.ok(rows.join(' ').endsWith('/100 M.N.)'), rows.join('|'));
      assert.ok(Math.min(...lengths) * 3 >= Math.max(...lengths), rows.join('|'));
    });
  }

  for (const [script, name] of [
    ['Arabic', 'محمد عبد الرحمن الحسيني'],
    ['Hebrew', 'יוסף בן דוד'],
    ['Arabic with Latin letters', 'محمد Al-Husseini'],
  ] as const) {
    it(`keeps a signer's name in ${script} at the left, under the signature`, async () => {
      const drawing = drawingOf([line('Cemento')], { paper: 'LETTER', signature: typed(name) });

      const { pieces } = await read(drawing);

      const heading = pieces.findIndex(({ text }) => text === 'FIRMA DE ACEPTACIÓN');
      const evidence = pieces.findIndex(({ text }) => text.startsWith('Firmado electrónicamente'));
      const nameRows = pieces.slice(heading + 1, evidence).filter(({ text }) => text !== '');
      assert.ok(nameRows.length > 0);
      for (const { x, text } of nameRows) assert.ok(x < LEFT + 210, `${text} stands at ${x}`);
    });
  }

  it('cuts no name of 200 letters: business, legal name, client, contact, seller, holder of the account, signer', async () => {
    const base = drawingOf([line('Cemento')], { paper: 'LETTER', signature: typed(PERSON) });
    const names = ['A', 'B', 'C', 'D', 'E', 'F'].map((mark, at) => `${at % 2 ? PERSON : COMPANY} ${mark}`.slice(-200));
    const [companyName = '', contactName = '', legalName = '', seller = '', clientName = '', beneficiary = ''] = names;

    const { text } = await read({
      ...base,
      business: { ...base.business, companyName, legalName },
      client: { ...base.client, companyName: clientName, contactName },
      seller: { ...base.seller, name: seller },
      bankInfo: { beneficiary },
    });

    for (const name of [...names, PERSON]) assert.ok(text.includes(name), `${name} in ${text}`);
    assert.equal(text.split(PERSON).length - 1 >= 3, true, 'the signature, the name under it, and the sentence');
  });

  for (const [given, shown] of [
    ['33.3333', '33.33 %'],
    ['12.5000', '12.5 %'],
    ['66.6667', '66.67 %'],
    ['0.0001', '0.0001 %'],
    ['99.9999', '99.9999 %'],
  ] as const) {
    it(`shows a discount of ${given} as ${shown}`, async () => {
      const { text } = await read(drawingOf([line('Cemento', { discountPct: given })]));

      assert.ok(text.includes(` ${shown} `), text);
    });
  }

  for (const [what, item, more] of [
    ['of one long line', [line(PERSON)], {}],
    ['of one line beside a tall payment block', [line('Cemento')], { bankInfo: { beneficiary: COMPANY } }],
  ] as const) {
    it(`puts the heading of a table ${what} on the page of its first line, below a header of half a page`, async () => {
      for (const rows of [2, 9]) {
        const { business, client, ...base } = drawingOf(item, { paper: 'LETTER', ...more });
        const address = Array.from({ length: 10 }, () => 'Calle').join('\n');
        const tall = { companyName: COMPANY, address };
        const contactName = 'Palabra '.repeat(7 * rows).trim();

        const { pages } = await read({
          ...base,
          business: { ...business, ...tall },
          client: { ...client, ...tall, contactName },
        });

        const page = pages.find((text) => text.includes('Precio unitario'));
        assert.match(page ?? '', /Importe (?:Cemento|Licenciada)/, `${rows} rows of contact`);
      }
    });
  }

  for (const fontFamily of ['Helvetica', 'Times', 'Courier'] as const) {
    it(`puts telephone and address on two lines in ${fontFamily} when one is too short, without a dot between them`, async () => {
      const base = drawingOf([line('Cemento')], { paper: 'LETTER', branding: { logoKey: null, fontFamily } });
      const phone = '+52 55 5123 4567 ext. 1234';
      const email = 'ventas.corporativas.y.proyectos@muebles-roble.example';

      const { text } = await read({ ...base, business: { ...base.business, phone, email } });

      assert.ok(text.includes(`${phone} ${email}`), text);
    });
  }

  for (const [script, companyName] of [
    ['Arabic', 'مصنع الأثاث الحديث'],
    ['Hebrew', 'ריהוט בן דוד'],
    ['Arabic that ends in a figure', 'شركة النور 24'],
  ] as const) {
    it(`names a business in ${script} before the quote in the footer, and before its tax id on the certificate`, async () => {
      const certificate = {
        signatureId: 'c1',
        quoteId: 'c2',
        consentText: 'Acepto',
        ip: '192.0.2.7',
        userAgent: '',
        snapshotSha256: 'a'.repeat(64),
        shownPdfSha256: 'b'.repeat(64),
      };
      const base = drawingOf([line('Cemento')], { signature: { ...typed('Ana'), certificate } });

      const { pieces } = await read({ ...base, business: { ...base.business, companyName, taxId: 'MAB9307148T4' } });

      // A right-to-left piece starts at its left end too.
      const parts = pieces.filter(({ text }) => text !== '');
      for (const joined of ['COT-12', 'RFC: MAB9307148T4']) {
        const after = parts.findLast(({ text }) => text.endsWith(joined) && text.startsWith('·'));
        assert.ok(after, `${joined} in ${parts.map(({ text }) => text).join('|')}`);
        const name = parts.find(({ text, y }) => y === after.y && companyName.startsWith(text.slice(0, 3)));
        assert.ok(name && name.x < after.x, `${joined} at ${after.x}, the name at ${name?.x}`);
      }
    });
  }

  it('has fields of the same size on Letter and A4: nothing beyond the margins', async () => {
    for (const [paper, width] of [
      ['LETTER', 612],
      ['A4', 595.28],
    ] as const) {
      const { pieces } = await read(drawingOf([line(COMPANY)], { paper, signature: typed(PERSON), notes: COMPANY }));

      const xs = pieces.filter(({ text }) => text !== '').map(({ x }) => x);
      assert.ok(Math.min(...xs) >= LEFT - 0.01 && Math.max(...xs) < width - LEFT, paper);
    }
  });
});
