import assert from 'node:assert/strict';
import { createPdfRenderer, type PdfRendererOptions } from '../../adapters/pdf/renderer.ts';
import { Quote } from '../../db/models/quote.ts';
import { closeAfterTests, needs } from '../stack.ts';
import { png, transparentPngWith } from '../adapters/image-files.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import * as build from './build.ts';
import { ownService, type Response, type Service, service } from './service.ts';

needs('storage');

const imagesIn = (bytes: Buffer) => bytes.toString('latin1').match(/\/Subtype \/Image/g)?.length ?? 0;

/** Uploads a logo like a browser and returns its storage key. */
async function uploadLogo(app: Service, as: build.Business['owner'], file: Buffer): Promise<string> {
  const data = new FormData();
  data.set('logo', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'logo.png');
  const res = await fetch(`${app.url}/api/settings/logo`, { method: 'POST', headers: as, body: data });
  const { storageKey } = (await res.json()) as { storageKey: string };
  return storageKey;
}

/** A PNG with invalid pixel data, which crashes pdfkit's decoder asynchronously. */
const deadlyPng = () => transparentPngWith(Buffer.from('none'));

describe('A PDF with a damaged logo in storage', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const BROKEN: readonly (readonly [string, (png: Buffer) => Buffer])[] = [
    ['cut off', (file) => file.subarray(0, file.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['a PNG that crashes the decoder', () => deadlyPng()],
    ['an HTML page of a proxy', () => Buffer.from('<html>502 Bad Gateway</html>')],
  ];
  for (const [which, damage] of BROKEN) {
    it(`every route answers 200 without the logo: the object is ${which}`, async () => {
      const { owner, ...business } = await build.business();
      const logo = await png({ width: 90, height: 60 });
      const storageKey = await uploadLogo(app, owner, logo);
      const { id, portal } = await build.sentQuote({ owner, ...business });
      await app.deps.storage.put(storageKey, damage(logo), 'image/png');

      const drawn = await app.get(`/api/quotes/${id}/pdf`, owner);
      const linked = await app.post(`/api/quotes/${id}/pdf`, undefined, owner);
      const seen = await app.get(`${portal}/pdf`);
      const accepted = await app.post(`${portal}/accept`, build.SIGNER);

      const responses = [drawn, linked, seen, accepted];
      assert.deepEqual(responses.map(({ status }) => status), [200, 200, 200, 200]); // prettier-ignore
      assert.deepEqual([imagesIn(drawn.bytes), imagesIn(seen.bytes)], [0, 0]);
      assert.match((await readPdf(drawn.bytes)).text, /Cotización COT-1/);
    });
  }

  it('does not affect the next PDF of a business with a valid logo', async () => {
    const { owner } = await build.business();
    await uploadLogo(app, owner, await png({ width: 90, height: 60 }));
    const { id } = await build.quote(owner);

    assert.equal(imagesIn((await app.get(`/api/quotes/${id}/pdf`, owner)).bytes), 1);
  });
});

describe('A PDF beyond the limits of its thread', () => {
  async function withRenderer(options: PdfRendererOptions): Promise<Service> {
    const pdf = createPdfRenderer(options);
    closeAfterTests(() => pdf.close());
    return ownService({}, (deps) => ({ ...deps, pdf }));
  }
  /** The responses for the PDF of the large quote and then of a small one. */
  async function pdfs(app: Service, business: build.Business, large: string): Promise<readonly [Response, Response]> {
    const { owner } = business;
    const small = await build.quote(owner);
    return [await app.get(`/api/quotes/${large}/pdf`, owner), await app.get(`/api/quotes/${small.id}/pdf`, owner)];
  }

  /** Sets notes that are longer than a request allows. */
  async function quoteWithNotes(app: Service, { owner, tenantId }: build.Business, notes: string): Promise<string> {
    const { id } = await build.quote(owner);
    await app.deps.withTenant(tenantId, (trx) => Quote.query(trx).findOne({ tenantId, id }).patch({ notes }));
    return id;
  }

  it('answers 503 «Servicio no disponible, intente más tarde» after the deadline, and the next answers 200', async () => {
    const app = await withRenderer({ deadlineMs: 2_500 });
    const business = await build.business();
    // Megabytes of text to be shaped.
    const id = await quoteWithNotes(app, business, 'مرحبا بالعالم '.repeat(400_000));

    const [late, next] = await pdfs(app, business, id);

    assert.deepEqual([late.status, late.body.error], [503, 'Servicio no disponible, intente más tarde']);
    assert.equal(next.status, 200);
  });

  it('answers 503 «Servicio no disponible, intente más tarde» beyond the thread’s memory, and the next answers 200', async () => {
    const app = await withRenderer({ maxHeapMb: 48 });
    const business = await build.business();
    const id = await quoteWithNotes(app, business, 'a\n'.repeat(1_500_000));

    const [fat, next] = await pdfs(app, business, id);

    assert.deepEqual([fat.status, fat.body.error], [503, 'Servicio no disponible, intente más tarde']);
    assert.equal(next.status, 200);
  });
});
