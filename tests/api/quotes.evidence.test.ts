import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

describe('GET /api/quotes/:id/signature/evidence', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 with a file from which the acceptance can be checked again', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await app.post(`${portal}/accept`, build.SIGNER);

    const { status, headers, body } = await app.get(`/api/quotes/${id}/signature/evidence`, business.owner);

    assert.equal(status, 200);
    assert.equal(headers.get('Content-Disposition'), 'attachment; filename="COT-1-constancia.json"');
    assert.deepEqual([body.quoteNumber, body.version, body.signerName], [1, 1, 'Laura Méndez']);
    assert.match(body.consentText, /COT-1, versión 1/);
    assert.equal(sha256(body.snapshot), body.snapshotSha256);
    const document = await fetch(body.pdfUrl);
    assert.equal(sha256(Buffer.from(await document.arrayBuffer())), body.pdfSha256);
  });

  it('answers 404 «Firma no encontrada» when nobody signed', async () => {
    const business = await build.business();
    const { id } = await build.sentQuote(business);

    const { status, body } = await app.get(`/api/quotes/${id}/signature/evidence`, business.owner);

    assert.deepEqual([status, body.error], [404, 'Firma no encontrada']);
  });

  it('answers 404 «Cotización no encontrada» to another tenant’s owner', async () => {
    const { id } = await build.sentQuote(await build.business());

    const res = await app.get(`/api/quotes/${id}/signature/evidence`, (await build.business()).owner);

    assert.deepEqual([res.status, res.body.error], [404, 'Cotización no encontrada']);
  });
});

describe('signatures', () => {
  it('may be neither changed nor deleted by the service', async () => {
    const app = await service();
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await app.post(`${portal}/accept`, build.SIGNER);

    for (const statement of ["update signatures set ip = 'x'", 'delete from signatures']) {
      await assert.rejects(
        app.deps.withTenant(business.tenantId, (trx) => trx.raw(`${statement} where quote_id = ?`, [id])),
        /permission denied/,
      );
    }
  });
});
