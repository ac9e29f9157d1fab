import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { newId } from '../../db/ids.ts';
import { Signature } from '../../db/models/signature.ts';
import { StoredFile } from '../../db/models/stored-file.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

needs('storage');

/** A signature as older versions stored it, without a certificate. */
async function oldSignature({ deps }: Service, tenantId: string, quoteId: string): Promise<void> {
  const pdf = Buffer.from('%PDF-1.7 antes');
  const hash = sha256(pdf);
  const [id, fileId] = [newId(), newId()];
  await deps.storage.put(`t/${tenantId}/quotes/${quoteId}/signed-${fileId}.pdf`, pdf, 'application/pdf');
  await deps.withTenant(tenantId, async (trx) => {
    const file = { storageKey: `t/${tenantId}/quotes/${quoteId}/signed-${fileId}.pdf`, contentType: 'application/pdf' };
    await StoredFile.query(trx).insert({ ...file, id: fileId, tenantId, quoteId, kind: 'signed_pdf', sizeBytes: 1, sha256: hash }); // prettier-ignore
    const { signerName, signerEmail, version } = build.SIGNER;
    const source = { consentText: 'Acepto', ip: '192.0.2.7', userAgent: 'Navegador' };
    const content = { type: 'typed', data: null, snapshot: '{}', snapshotSha256: hash, pdfSha256: hash } as const;
    const who = { signerName, signerEmail, version, signedAt: new Date() };
    await Signature.query(trx).insert({ id, tenantId, quoteId, pdfFileId: fileId, ...who, ...content, ...source });
  });
}

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

describe('GET /api/quotes/:id/signature/evidence', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 with a file with which the acceptance can be verified', async () => {
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

  it('matches the certificate in the signed document, which has everything except its own hash', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    const headers = { 'User-Agent': 'Navegador de prueba' };
    await app.request('POST', `${portal}/accept`, { headers, body: build.SIGNER });

    const { body } = await app.get(`/api/quotes/${id}/signature/evidence`, business.owner);

    const signed = Buffer.from(await (await fetch(body.pdfUrl)).arrayBuffer());
    const page = (await readPdf(signed)).pages.at(-1) ?? '';
    assert.match(page, /Constancia de firma/);
    const named = [body.signatureId, id, body.snapshotSha256, body.shownPdfSha256, body.signerName, body.signerEmail];
    const more = [body.ip, 'Navegador de prueba', body.consentText];
    assert.deepEqual([...named, ...more].filter((part) => !page.includes(part)), []); // prettier-ignore
    assert.equal(page.includes(body.pdfSha256), false);
  });

  it('has hash and link of the document as shown to the client, byte for byte', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    const shown = await app.get(`${portal}/pdf`);
    await app.post(`${portal}/accept`, build.SIGNER);

    const { body } = await app.get(`/api/quotes/${id}/signature/evidence`, business.owner);

    assert.equal(body.shownPdfSha256, sha256(shown.bytes));
    const linked = Buffer.from(await (await fetch(body.shownPdfUrl)).arrayBuffer());
    assert.ok(linked.equals(shown.bytes));
    assert.doesNotMatch((await readPdf(linked)).text, /Constancia de firma|FIRMA DE ACEPTACIÓN/);
  });

  it('uses the file that was linked or mailed before as the shown document', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await app.post(`/api/quotes/${id}/pdf`, undefined, business.owner);
    await app.post(`${portal}/accept`, build.SIGNER);

    const kinds = await app.deps.withTenant(business.tenantId, (trx) =>
      StoredFile.query(trx).where({ quoteId: id }).orderBy('kind').select('kind', 'storageKey', 'id'),
    );

    assert.deepEqual(kinds.map(({ kind }) => kind), ['quote_pdf', 'signed_pdf']); // prettier-ignore
    assert.equal(kinds[1]?.storageKey, `t/${business.tenantId}/quotes/${id}/signed-${kinds[1]?.id}.pdf`);
  });

  it('has the hash of the signed PDF that owner and client get', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await app.post(`${portal}/accept`, build.SIGNER);

    const drawn = await app.get(`/api/quotes/${id}/pdf`, business.owner);
    const frozen = await app.get(`${portal}/pdf`);

    assert.equal(sha256(drawn.bytes), sha256(frozen.bytes));
  });

  it('for a signature without certificate, has null for the shown document and the PDF of that time', async () => {
    const business = await build.business();
    const { id } = await build.sentQuote(business);
    await build.patchQuote(business, id, { status: 'ACCEPTED' });
    await oldSignature(app, business.tenantId, id);

    const { body } = await app.get(`/api/quotes/${id}/signature/evidence`, business.owner);
    const drawn = await app.get(`/api/quotes/${id}/pdf`, business.owner);

    assert.deepEqual([body.shownPdfSha256, body.shownPdfUrl], [null, null]);
    assert.equal(drawn.bytes.toString(), '%PDF-1.7 antes');
  });

  it('answers 404 «Firma no encontrada» for an unsigned quote', async () => {
    const business = await build.business();
    const { id } = await build.sentQuote(business);

    const { status, body } = await app.get(`/api/quotes/${id}/signature/evidence`, business.owner);

    assert.deepEqual([status, body.error], [404, 'Firma no encontrada']);
  });
});

describe('Signatures', () => {
  it('cannot be changed or deleted by the service’s database role', async () => {
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
