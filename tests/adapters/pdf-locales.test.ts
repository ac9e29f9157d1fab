import assert from 'node:assert/strict';
import { fingerprint } from '../../adapters/pdf/fingerprint.ts';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import { consentText } from '../../domain/portal.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { TEST_PERMIT } from './test-permit.ts';
import { drawingOf, line } from './pdf-drawings.ts';
import { readPdf } from './pdf-text.ts';

const LINES = [line('CP-30', { unitPrice: '1850.50', quantity: 1200, discountPct: '12.50' })];
const MORE = {
  version: 2,
  shippingCost: '99.90',
  notes: '—',
  bankInfo: { bankName: 'Bajío', clabe: '032180000118359719', beneficiary: 'Bajío' },
} as const;

/** Words of Spanish documents only. */
const SPANISH = /Cotización|Vigente|Fecha|Cantidad|Envío|Firma|vigente|Importe/;

const WORDS = {
  'en-US': {
    quote: [
      'Quote COT-12',
      'Issue date March 5, 2026',
      'Valid until March 20, 2026',
      'Currency MXN',
      'Version 2',
      'Item Quantity Unit price Discount Amount',
      '1,200 $1,850.50 12.5% $1,943,025.00',
      'VAT (16%) $310,884.00',
      'Shipping $99.90',
      'Total $2,254,008.90 MXN',
      'PAYMENT DETAILS Beneficiary: Bajío Bank: Bajío CLABE: 032 180 00011835971 9',
      'Your contact: Ana Peña',
      'This quote is not a tax invoice.',
      'Page 1 of 1',
    ],
    certificate: [
      'Signature certificate Quote COT-12, accepted electronically',
      'ACCEPTED STATEMENT',
      'Date and time March 7, 2026 at 12:04:09 PM (UTC-6)',
      'IP address 192.0.2.7 Browser Not identified',
      'Quote COT-12, version 2 Issued by Ferretería del Bajío Total accepted $2,254,008.90 MXN',
      'DIGITAL FINGERPRINTS (SHA-256)',
      'HOW TO VERIFY IT',
      'Page 2 of 2',
    ],
    signed: 'Signed electronically by Jorge Núñez (jorge@nunez.example) on March 7, 2026 at 12:04 PM (UTC-6).',
    watermark: 'FREE VERSION',
    abroad: ['Tax (16%)', 'Account: 12-34', 'Tax ID: 76.123'],
  },
  'pt-BR': {
    quote: [
      'Orçamento COT-12',
      'Data de emissão 5 de março de 2026',
      'Válido até 20 de março de 2026',
      'Moeda MXN',
      'Versão 2',
      'Item Quantidade Preço unitário Desconto Valor',
      '1.200 $ 1.850,50 12,5% $ 1.943.025,00',
      'IVA (16%) $ 310.884,00',
      'Frete $ 99,90',
      'Total $ 2.254.008,90 MXN',
      'DADOS PARA PAGAMENTO Favorecido: Bajío Banco: Bajío CLABE: 032 180 00011835971 9',
      'Seu contato: Ana Peña',
      'Este orçamento não é um documento fiscal.',
      'Página 1 de 1',
    ],
    certificate: [
      'Comprovante de assinatura Orçamento COT-12, aceito por meio eletrônico',
      'DECLARAÇÃO ACEITA',
      'Data e hora 7 de março de 2026, 12:04:09 (UTC-6)',
      'Endereço IP 192.0.2.7 Navegador Não identificado',
      'Orçamento COT-12, versão 2 Emitido por Ferretería del Bajío Total aceito $ 2.254.008,90 MXN',
      'CÓDIGOS HASH (SHA-256)',
      'COMO CONFERIR',
      'Página 2 de 2',
    ],
    signed: 'Assinado eletronicamente por Jorge Núñez (jorge@nunez.example) em 7 de março de 2026, 12:04 (UTC-6).',
    watermark: 'VERSÃO GRATUITA',
    abroad: ['Imposto (16%)', 'Conta: 12-34', 'ID fiscal: 76.123'],
  },
} as const;

for (const locale of ['en-US', 'pt-BR'] as const) {
  const words = WORDS[locale];
  describe(`the PDF of a quote in ${locale}`, () => {
    const pdf = createPdfRenderer();
    after(() => pdf.close());
    const read = async (more: Partial<QuoteDrawing> = {}) =>
      readPdf(await pdf.render({ ...drawingOf(LINES, { ...MORE, locale }), ...more }, TEST_PERMIT));
    const lacking = (text: string, parts: readonly string[]) => parts.filter((part) => !text.includes(part));

    it('has all texts, its title and its declared language in that language', async () => {
      const { text, info } = await read();

      assert.deepEqual(lacking(text, words.quote), []);
      assert.doesNotMatch(text, SPANISH);
      assert.equal(info['Language'], locale);
      assert.equal(info['Title'], words.quote[0]);
    });

    it('names tax, account and tax id of other countries in that language', async () => {
      const { business, client } = drawingOf(LINES);
      const { text } = await read({
        business: { ...business, country: 'US' },
        client: { ...client, country: 'ES', taxId: '76.123' },
        bankInfo: { clabe: '12-34' },
      });

      assert.deepEqual(lacking(text, words.abroad), []);
    });

    it('has no amount in words, which only Spanish documents have', async () => {
      const spanish = await readPdf(await pdf.render(drawingOf(LINES, MORE), TEST_PERMIT));

      assert.match(spanish.text, /IMPORTE CON LETRA/);
      assert.doesNotMatch((await read()).text, /CON LETRA|PESOS/);
    });

    it('has the watermark in that language', async () => {
      assert.ok((await read({ watermark: true })).text.includes(words.watermark));
    });

    it('has the certificate in that language, with the accepted consent text', async () => {
      const consent = consentText(drawingOf(LINES, { ...MORE, locale }));
      const { pages, figures } = await read({
        signature: {
          type: 'typed',
          data: null,
          signerName: 'Jorge Núñez',
          signerEmail: 'jorge@nunez.example',
          signedAt: '2026-03-07T18:04:09.123Z',
          certificate: {
            signatureId: 's1',
            quoteId: 'q1',
            consentText: consent,
            ip: '192.0.2.7',
            userAgent: '',
            snapshotSha256: 'a'.repeat(64),
            shownPdfSha256: 'b'.repeat(64),
          },
        },
      });

      const [first = '', last = ''] = pages;
      assert.deepEqual(lacking(last, [...words.certificate, consent.replaceAll('\u00a0', ' ')]), []);
      assert.deepEqual(lacking(first, [words.signed]), []);
      assert.doesNotMatch(first + last, SPANISH);
      assert.deepEqual(figures, []);
    });

    it('renders Arabic and Chinese texts of people as a Spanish document does', async () => {
      const lines = [line('مرحبا ٥٠', { model: '水泥袋' })];
      const namesOf = async (shown: QuoteDrawing) =>
        (await readPdf(await pdf.render(shown, TEST_PERMIT))).pieces.filter(({ text }) =>
          /[\p{Script=Arabic}\p{Script=Han}]/u.test(text),
        );

      const own = await namesOf(drawingOf(lines, { locale }));

      assert.ok(own.length >= 2);
      assert.deepEqual(
        own.map(({ text }) => text),
        (await namesOf(drawingOf(lines))).map(({ text }) => text),
      );
    });

    it('has another fingerprint than the Spanish document', () => {
      const fingerprints = [drawingOf(LINES), drawingOf(LINES, { locale })].map(fingerprint);

      assert.notEqual(fingerprints[0], fingerprints[1]);
    });
  });
}
