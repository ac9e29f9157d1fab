import assert from 'node:assert/strict';
import sharp from 'sharp';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import type { QuoteDrawing, SignatureOfDrawing } from '../../domain/quote-drawing.ts';
import { drawingOf, line } from './pdf-drawings.ts';
import { readPdf } from './pdf-text.ts';
import { TEST_PERMIT } from './test-permit.ts';

const CONSENT =
  'Acepto la cotización COT-12, versión 1, por un total de $11.60 MXN, vigente hasta el 20 de marzo de 2026.';

const signed = (more: Partial<SignatureOfDrawing> = {}): SignatureOfDrawing => ({
  type: 'typed',
  data: null,
  signerName: 'Jorge Núñez',
  signerEmail: 'jorge@nunez.example',
  signedAt: '2026-03-07T18:04:09.123Z',
  certificate: {
    signatureId: 'cfirma0000000000000000001',
    quoteId: 'cquote0000000000000000001',
    consentText: CONSENT,
    ip: '192.0.2.7',
    userAgent: 'Mozilla/5.0 (prueba)',
    snapshotSha256: '9f86d081'.repeat(8),
    shownPdfSha256: '2c26b46b'.repeat(8),
  },
  ...more,
});

const quote = (signature: SignatureOfDrawing, more: Partial<QuoteDrawing> = {}) => ({
  ...drawingOf([line('Cemento')], { signature }),
  ...more,
});

describe('the certificate of a signed PDF', () => {
  const pdf = createPdfRenderer();
  after(() => pdf.close());
  const lastPage = async (drawing: QuoteDrawing) =>
    (await readPdf(await pdf.render(drawing, TEST_PERMIT))).pages.at(-1) ?? '';

  it('is the last page: who, when to the second, from where, with which words, of what, and both hashes', async () => {
    const page = await lastPage(quote(signed()));

    assert.match(page, /Constancia de firma Cotización COT-12, aceptada por medios electrónicos/);
    assert.ok(page.replaceAll(/\s+/g, ' ').includes(CONSENT));
    assert.match(page, /Nombre Jorge Núñez Correo jorge@nunez\.example/);
    assert.match(page, /Fecha y hora 7 de marzo de 2026, 12:04:09 \(UTC-6\)/);
    assert.match(page, /Dirección IP 192\.0\.2\.7 Navegador Mozilla\/5\.0 \(prueba\)/);
    assert.match(page, /Cotización COT-12, versión 1 Emitida por Ferretería del Bajío Total aceptado \$11\.60 MXN/);
    assert.match(page, /ID de la cotización cquote0000000000000000001 ID de la firma cfirma0000000000000000001/);
    assert.match(page, /Documento mostrado (2c26b46b){8} Datos aceptados (9f86d081){8}/);
    assert.match(page, /CÓMO COMPROBARLA .*sha256sum COT-12\.pdf/);
    assert.match(page, /Página 2 de 2/);
  });

  it('shows the signature that was drawn, in the quote and in itself, from one image in the file', async () => {
    const image = await sharp({ create: { width: 200, height: 60, channels: 3, background: '#123456' } }).png().toBuffer(); // prettier-ignore
    const data = `data:image/png;base64,${image.toString('base64')}`;

    const bytes = await pdf.render(quote(signed({ type: 'drawn', data })), TEST_PERMIT);

    const { figures, text } = await readPdf(bytes);
    assert.deepEqual(figures, ['Firma de Jorge Núñez', 'Firma de Jorge Núñez']);
    assert.equal(bytes.toString('latin1').match(/\/Subtype \/Image/g)?.length, 1);
    assert.match(text, /FIRMA DE ACEPTACIÓN Jorge Núñez Firmado electrónicamente/);
  });

  it('stands in for the signature where the quote has no room for it, so no page has a signature only', async () => {
    const pages = async (items: number) => {
      const drawing = drawingOf(Array.from({ length: items }, (_, index) => line(`Artículo ${index}`)), { signature: signed() }); // prettier-ignore
      return (await readPdf(await pdf.render(drawing, TEST_PERMIT))).pages;
    };

    const documents = await Promise.all([12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22].map(pages));

    assert.deepEqual(documents.flat().filter((page) => !/Artículo \d|Constancia de firma/.test(page)), []); // prettier-ignore
    assert.ok(documents.some(([first]) => /FIRMA DE ACEPTACIÓN/.test(first ?? '')));
    assert.ok(documents.some(([first, ...rest]) => rest.length === 1 && !/FIRMA DE ACEPTACIÓN/.test(first ?? '')));
  });

  it('keeps a name of 200 characters and an address of 254 whole, and cuts no hash', async () => {
    const signerName = `Ana ${'María '.repeat(32)}Núñez`;
    const signerEmail = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.mx`;

    const page = await lastPage(quote(signed({ signerName, signerEmail }), { branding: { logoKey: null, fontFamily: 'Courier' } })); // prettier-ignore

    const glued = page.replaceAll(' ', '');
    assert.ok(glued.includes(`Nombre${signerName.replaceAll(' ', '')}Correo${signerEmail}`));
    assert.ok(glued.includes('2c26b46b'.repeat(8)));
  });

  it('shows markup in what the signer sent as the characters that were typed', async () => {
    const evil = '<b>x</b> &amp;';
    const certificate = { ...(signed().certificate ?? assert.fail()), userAgent: evil };

    const page = await lastPage(quote(signed({ signerName: evil, certificate })));

    assert.match(page, /Nombre <b>x<\/b> &amp; Correo/);
    assert.match(page, /Navegador <b>x<\/b> &amp; DOCUMENTO/);
  });

  it('says that the browser did not name itself', async () => {
    const certificate = { ...(signed().certificate ?? assert.fail()), userAgent: '' };

    assert.match(await lastPage(quote(signed({ certificate }))), /Navegador No se identificó/);
  });

  it('is not there for a signature from before there was one', async () => {
    const { pages, text } = await readPdf(await pdf.render(quote(signed({ certificate: null })), TEST_PERMIT));

    assert.equal(pages.length, 1);
    assert.match(text, /FIRMA DE ACEPTACIÓN/);
    assert.doesNotMatch(text, /[Cc]onstancia/);
  });

  it('has the same bytes for the same signature, and others for another', async () => {
    const [once, again, other] = await Promise.all([
      pdf.render(quote(signed()), TEST_PERMIT),
      pdf.render(structuredClone(quote(signed())), TEST_PERMIT),
      pdf.render(quote(signed({ signedAt: '2026-03-07T18:04:10.123Z' })), TEST_PERMIT),
    ]);

    assert.ok(once.equals(again));
    assert.ok(!once.equals(other));
  });
});
