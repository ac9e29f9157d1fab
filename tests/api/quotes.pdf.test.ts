import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { StoredFile } from '../../db/models/stored-file.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { type Response, type Service, service } from './service.ts';

needs('storage');

describe('GET /api/quotes/:id/pdf', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 with application/pdf, inline as COT-1.pdf, no-store', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);

    const res = await app.get(`/api/quotes/${id}/pdf`, owner);

    assert.equal(res.status, 200);
    assert.equal(res.headers.get('Content-Type'), 'application/pdf');
    assert.equal(res.headers.get('Content-Disposition'), 'inline; filename="COT-1.pdf"');
    assert.equal(res.headers.get('Cache-Control'), 'private, no-store');
    assert.equal(res.bytes.subarray(0, 5).toString(), '%PDF-');
    assert.equal(Number(res.headers.get('Content-Length')), res.bytes.length);
  });

  it('shows the business, the client, the lines, the amounts and the notes', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner, { notes: 'Entrega en obra', shippingCost: 50 });

    const res = await app.get(`/api/quotes/${id}/pdf`, owner);

    const { text } = await readPdf(res.bytes);
    const missing = ['Acme', 'Laura Méndez', 'La Palma', 'COT-1', 'Silla', '282.00', 'Entrega en obra'].filter(
      (part) => !text.includes(part),
    );
    assert.deepEqual(missing, []);
  });

  it('returns the stored file byte for byte if the document was stored before', async () => {
    const { owner, tenantId } = await build.business();
    const { id } = await build.quote(owner);
    await app.post(`/api/quotes/${id}/pdf`, undefined, owner);
    const [file] = await app.deps.withTenant(tenantId, (trx) => StoredFile.query(trx).where({ quoteId: id }));
    await app.deps.storage.put(file?.storageKey ?? '', Buffer.from('the stored file'), 'application/pdf');

    const res = await app.get(`/api/quotes/${id}/pdf`, owner);

    assert.equal(res.bytes.toString(), 'the stored file');
  });

  it('shows current data after a change of the business', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    await build.patchTenant(business, { companyName: 'Muebles del Golfo' });

    const res = await app.get(`/api/quotes/${id}/pdf`, business.owner);

    assert.ok((await readPdf(res.bytes)).text.includes('Muebles del Golfo'));
  });

  it('is A4 in Brazil, and Letter with pdfBranding.paperSize LETTER on PRO', async () => {
    const { owner } = await build.business({ country: 'BR' });
    const { id } = await build.quote(owner);
    const paper = async () => {
      const { bytes } = await app.get(`/api/quotes/${id}/pdf`, owner);
      return /MediaBox \[([^\]]+)\]/.exec(bytes.toString('latin1'))?.[1];
    };

    const before = await paper();
    const body = { pdfBranding: { paperSize: 'LETTER' } };
    const { body: settings } = await app.request('PUT', '/api/settings', { body, headers: owner });
    const after = await paper();

    assert.deepEqual(settings.data.pdfBranding, { paperSize: 'LETTER' });
    assert.deepEqual([before, after], ['0 0 595.28 841.89', '0 0 612 792']);
  });

  it('answers 200 to HEAD with the same headers and no body', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);

    const res = await app.request('HEAD', `/api/quotes/${id}/pdf`, { headers: owner });

    assert.deepEqual([res.status, res.headers.get('Content-Type')], [200, 'application/pdf']);
    assert.equal(res.bytes.length, 0);
  });
});

describe('POST /api/quotes/:id/pdf', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const link = (id: string, as: build.Business['owner']) => app.post(`/api/quotes/${id}/pdf`, undefined, as);
  const filesOf = ({ tenantId }: build.Business) =>
    app.deps.withTenant(tenantId, (trx) => StoredFile.query(trx).where({ tenantId }).orderBy('createdAt'));
  const pathOf = ({ body }: Response) => new URL(body.pdfUrl).pathname;

  it('answers 200 with a link that downloads COT-1.pdf without credentials', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);

    const res = await link(id, owner);

    assert.equal(res.status, 200);
    const download = await fetch(res.body.pdfUrl);
    assert.equal(download.headers.get('Content-Type'), 'application/pdf');
    assert.match(download.headers.get('Content-Disposition') ?? '', /^inline; filename="COT-1\.pdf"/);
    const { text } = await readPdf(Buffer.from(await download.arrayBuffer()));
    assert.ok(text.includes('COT-1') && text.includes('Silla'), text);
  });

  it('the link is valid for 15 minutes and only for this object', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);

    const { pdfUrl } = (await link(id, owner)).body;

    assert.equal(new URL(pdfUrl).searchParams.get('X-Amz-Expires'), '900');
    const forged = pdfUrl.replace('COT-1.pdf', 'COT-2.pdf');
    assert.notEqual(forged, pdfUrl);
    assert.equal((await fetch(forged)).status, 403);
  });

  it('stores the file in the folder of the business and records size and SHA-256', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);

    const res = await link(id, business.owner);

    const bytes = Buffer.from(await (await fetch(res.body.pdfUrl)).arrayBuffer());
    const [file, ...more] = await filesOf(business);
    assert.deepEqual(more, []);
    assert.deepEqual([file?.kind, file?.quoteId, file?.sizeBytes], ['quote_pdf', id, bytes.length]);
    assert.equal(file?.sha256, createHash('sha256').update(bytes).digest('hex'));
    assert.ok(file?.storageKey.startsWith(`t/${business.tenantId}/quotes/${id}/`));
  });

  it('does not render an unchanged document again', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    const first = await link(id, business.owner);
    const written = (await fetch(first.body.pdfUrl)).headers;

    const second = await link(id, business.owner);

    const { headers } = await fetch(second.body.pdfUrl);
    assert.equal(pathOf(second), pathOf(first));
    assert.deepEqual(
      [headers.get('ETag'), headers.get('Last-Modified')],
      [written.get('ETag'), written.get('Last-Modified')],
    );
    assert.equal((await filesOf(business)).length, 1);
  });

  it('does not render again after a status change', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    const before = await link(id, business.owner);
    await app.patch(`/api/quotes/${id}/status`, { status: 'SENT' }, business.owner);

    const after = await link(id, business.owner);

    assert.equal(pathOf(after), pathOf(before));
  });

  it('renders a changed document again and never links the stale file', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    const before = await link(id, business.owner);
    await build.patchTenant(business, { companyName: 'Muebles del Golfo' });

    const after = await link(id, business.owner);

    assert.notEqual(pathOf(after), pathOf(before));
    const { text } = await readPdf(Buffer.from(await (await fetch(after.body.pdfUrl)).arrayBuffer()));
    assert.ok(text.includes('Muebles del Golfo'));
  });

  it('ten concurrent calls answer 200 and record one file', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);

    const responses = await Promise.all(Array.from({ length: 10 }, () => link(id, business.owner)));

    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    assert.equal((await filesOf(business)).length, 1);
  });
});
