import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createApiMetrics } from '../../adapters/metrics/metrics.ts';
import { reportLossTo } from '../../adapters/signed-pdf.ts';
import { newId } from '../../db/ids.ts';
import { Signature } from '../../db/models/signature.ts';
import { StoredFile } from '../../db/models/stored-file.ts';
import type { Plan } from '../../domain/plans.ts';
import { png } from '../adapters/image-files.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { ownService, type Service, service } from './service.ts';

needs('storage');

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

describe('The document of a signed quote', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  type Signing = Record<string, unknown>;
  const SIGNINGS: readonly (readonly [how: string, signature: () => Promise<Signing | undefined>])[] = [
    ['drawn', async () => ({ type: 'drawn', data: await build.signatureUrl() })],
    ['typed', () => Promise.resolve({ type: 'typed', data: 'L. Méndez' })],
    ['given by its name alone', () => Promise.resolve(undefined)],
  ];

  async function signed(signature?: Signing, tenant: Parameters<typeof build.business>[0] = {}) {
    const bankInfo = JSON.stringify({ bankName: 'Banco del Centro', clabe: '032180000118359719' });
    const business = await build.business({ bankInfo, ...tenant });
    const { id, portal, page } = await build.sentQuote(business);
    const body = { ...build.SIGNER, ...(signature && { signature }) };
    assert.equal((await app.post(`${portal}/accept`, body)).status, 200);
    return { business, id, portal, page };
  }

  type Signed = Awaited<ReturnType<typeof signed>>;

  const linked = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

  /** The SHA-256 of the document by each route that returns it. */
  async function readers({ business, id, portal }: Signed, plan: Plan = 'PRO'): Promise<Record<string, string>> {
    const { owner } = business;
    const evidence = (await app.get(`/api/quotes/${id}/signature/evidence`, owner)).body;
    return {
      get: sha256((await app.get(`/api/quotes/${id}/pdf`, owner)).bytes),
      post: sha256(await linked((await app.post(`/api/quotes/${id}/pdf`, undefined, owner)).body.pdfUrl)),
      evidence: sha256(await linked(evidence.pdfUrl)),
      named: evidence.pdfSha256,
      ...(plan === 'PRO' && { portal: sha256((await app.get(`${portal}/pdf`)).bytes) }),
    };
  }

  const CHANGES: readonly (readonly [what: string, change: (found: Signed) => Promise<unknown>, plan?: Plan])[] = [
    ['another name and bank', ({ business }) => app.request('PUT', '/api/settings', { headers: business.owner, body: { companyName: 'Otro Nombre', address: 'Otra calle 1', bankInfo: { bankName: 'Otro', clabe: '002010077777777771' } } })],
    ['no bank', ({ business }) => build.patchTenant(business, { bankInfo: null })],
    ['another branding', ({ business }) => app.request('PUT', '/api/settings', { headers: business.owner, body: { pdfBranding: { primaryColor: '#c00000', fontFamily: 'Times', paperSize: 'LETTER', footerText: 'Otro pie' } } })],
    ['a new logo', ({ business }) => upload(business)],
    ['no logo', ({ business }) => app.request('DELETE', '/api/settings/logo', { headers: business.owner })],
    ['another client', async ({ business, id }) => app.patch(`/api/clients/${(await app.get(`/api/quotes/${id}`, business.owner)).body.client.id}`, { contactName: 'Otra Persona', email: 'otra@cliente.test', phone: '55 0000 0000' }, business.owner)],
    ['the plan FREE', ({ business }) => build.patchTenant(business, { plan: 'FREE' }), 'FREE'],
    ['the plan PRO again', ({ business }) => build.patchTenant(business, { plan: 'PRO' })],
  ]; // prettier-ignore

  async function upload({ owner }: build.Business) {
    const body = new FormData();
    body.set('logo', new Blob([new Uint8Array(await png({ width: 90, height: 60 }))]), 'logo.png');
    return fetch(`${app.url}/api/settings/logo`, { method: 'POST', headers: owner, body });
  }

  for (const [how, signature] of SIGNINGS) {
    it(`(${how}) has the same SHA-256 for all readers before and after changes of settings, plan and client`, async () => {
      const found = await signed(await signature());
      const before = await readers(found);
      assert.equal(new Set(Object.values(before)).size, 1, JSON.stringify(before));

      for (const [what, change, plan] of CHANGES) {
        await change(found);
        const after = await readers(found, plan);
        assert.deepEqual(
          new Set(Object.values(after)),
          new Set([before['named']]),
          `${what}: ${JSON.stringify(after)}`,
        );
      }
    });
  }

  it('shows the signed content and not later changes of the business', async () => {
    const found = await signed();
    await build.patchTenant(found.business, { companyName: 'Negocio Renombrado', bankInfo: null });

    const { text } = await readPdf((await app.get(`/api/quotes/${found.id}/pdf`, found.business.owner)).bytes);

    assert.match(text, /Banco del Centro/);
    assert.doesNotMatch(text, /Negocio Renombrado/);
  });

  it('reading it creates no second file', async () => {
    const found = await signed();
    await build.patchTenant(found.business, { companyName: 'Negocio Renombrado' });
    await readers(found);

    const kinds = await app.deps.withTenant(found.business.tenantId, (trx) =>
      StoredFile.query(trx).where({ quoteId: found.id }).orderBy('kind').select('kind'),
    );

    assert.deepEqual(kinds.map(({ kind }) => kind), ['quote_pdf', 'signed_pdf']); // prettier-ignore
  });

  describe('missing or altered in storage', () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino(new Writable({ write: (chunk, _encoding, done) => (lines.push(JSON.parse(String(chunk))), done()) })); // prettier-ignore
    const metrics = createApiMetrics();
    let watched: Service;
    before(async () => {
      watched = await ownService({ LOG_LEVEL: 'silent' }, (deps) => ({
        ...deps,
        reportLoss: reportLossTo(log, metrics),
      }));
    });

    const keyOf = ({ business, id }: Signed) =>
      app.deps.withTenant(business.tenantId, async (trx) => {
        const file = await StoredFile.query(trx).findOne({ quoteId: id, kind: 'signed_pdf' }).throwIfNotFound();
        return file.storageKey;
      });

    const LOSSES: readonly (readonly [loss: string, lose: (key: string) => Promise<unknown>])[] = [
      ['missing', (key) => app.deps.storage.remove(key)],
      ['altered', (key) => app.deps.storage.put(key, Buffer.from('%PDF-1.7 otro'), 'application/pdf')],
      ['altered', (key) => app.deps.storage.put(key, Buffer.alloc(0), 'application/pdf')],
    ];
    for (const [index, [loss, lose]] of LOSSES.entries()) {
      it(`is never drawn again (${loss}, ${index + 1}): 503 for all readers, with a log line and a metric each`, async () => {
        const found = await signed();
        const { business, id, portal } = found;
        await lose(await keyOf(found));
        lines.length = 0;

        const responses = [
          await watched.get(`/api/quotes/${id}/pdf`, business.owner),
          await watched.post(`/api/quotes/${id}/pdf`, undefined, business.owner),
          await watched.get(`/api/quotes/${id}/signature/evidence`, business.owner),
          await watched.get(`${portal}/pdf`),
        ];

        for (const { status, body, headers } of responses) {
          assert.deepEqual([status, body.error], [503, 'Servicio no disponible, intente más tarde']);
          assert.ok(headers.get('Retry-After'));
        }
        const logged = lines.filter(
          ({ level, msg }) => level === 50 && /signed document cannot be served/.test(String(msg)),
        );
        assert.equal(logged.length, responses.length);
        const counted = await metrics.registry.metrics();
        assert.match(counted, new RegExp(`signed_pdfs_lost_total\\{loss="${loss}"\\} [1-9]`));
        // Other data of the signature can still be read.
        assert.equal((await watched.get(`/api/quotes/${id}/signature`, business.owner)).status, 200);
        assert.equal((await watched.get(portal)).status, 200);
      });
    }

    it('is served again after its file was restored', async () => {
      const found = await signed();
      const key = await keyOf(found);
      const file = await app.deps.storage.get(key);
      await app.deps.storage.remove(key);
      assert.equal((await watched.get(`/api/quotes/${found.id}/pdf`, found.business.owner)).status, 503);

      await app.deps.storage.put(key, file, 'application/pdf');

      assert.ok((await watched.get(`/api/quotes/${found.id}/pdf`, found.business.owner)).bytes.equals(file));
    });
  });

  describe('and its page', () => {
    it('show the same bank, business and logo after changes of the settings', async () => {
      const found = await signed();
      await upload(found.business);
      await build.patchTenant(found.business, {
        companyName: 'Negocio Renombrado',
        bankInfo: JSON.stringify({ bankName: 'Banco Nuevo', clabe: '002010077777777771' }),
        pdfBranding: '{"primaryColor":"#c00000"}',
      });

      const text = (await app.get(found.page)).bytes.toString();

      assert.match(text, /Banco del Centro/);
      assert.match(text, /data-copy="032180000118359719"/);
      assert.doesNotMatch(text, /Banco Nuevo|002010077777777771|Negocio Renombrado|#c00000|class="logo/);
      assert.equal((await app.get(found.portal)).body.business.logoUrl, null);
      assert.equal((await app.get(`${found.page}/logo`)).status, 404);
    });

    it('show the same client and days after the client and the time zone changed', async () => {
      const found = await signed();
      const pageOf = async () => (await app.get(found.page)).bytes.toString().replaceAll(/nonce="[^"]*"/g, '');
      const client = (await app.get(`/api/quotes/${found.id}`, found.business.owner)).body.client;
      const before = await pageOf();

      const change = { contactName: 'Otra Persona', taxId: 'XAXX010101000', address: 'Otra calle 9', country: 'US' };
      assert.equal((await app.patch(`/api/clients/${client.id}`, change, found.business.owner)).status, 200);
      await build.patchTenant(found.business, { timeZone: 'Pacific/Kiritimati', country: 'CL' });

      assert.equal(await pageOf(), before);
    });

    it('show no bank where the document has none', async () => {
      const found = await signed(undefined, { bankInfo: null });
      await build.patchTenant(found.business, { bankInfo: '{"bankName":"Banco Nuevo"}' });

      assert.doesNotMatch((await app.get(found.page)).bytes.toString(), /Banco Nuevo|Datos para el pago/);
    });

    it('do not show the current bank if that of the document is unknown', async () => {
      const business = await build.business({ bankInfo: '{"bankName":"Banco Nuevo"}' });
      const { id, page } = await build.sentQuote(business);
      await olderSignature(app, business, id, { data: 'Luz Vega' });

      assert.doesNotMatch((await app.get(page)).bytes.toString(), /Banco Nuevo|Datos para el pago/);
    });

    it('both show the current bank while the quote is unsigned', async () => {
      const business = await build.business({ bankInfo: '{"bankName":"Banco Viejo"}' });
      const { page, portal } = await build.sentQuote(business);
      await app.get(`${portal}/pdf`);
      await build.patchTenant(business, { bankInfo: '{"bankName":"Banco Nuevo"}' });

      const { text } = await readPdf((await app.get(`${portal}/pdf`)).bytes);

      assert.match(text, /Banco Nuevo/);
      assert.match((await app.get(page)).bytes.toString(), /Banco Nuevo/);
    });
  });

  describe('has a signature whose data is an image', () => {
    const IMAGE = /^data:image\/png;base64,[A-Za-z0-9+/]+=*$/;
    const dataOf = async ({ business, id }: { business: build.Business; id: string }) =>
      (await app.get(`/api/quotes/${id}/signature`, business.owner)).body.signature;

    const TYPED = ['Luz Vega', 'Lic. María Guadalupe Hernández-Ñáñez de la Torre y Álvarez', 'محمد العربي', '王小明', 'Łódź 😀', 'A'.repeat(200)] as const; // prettier-ignore
    for (const data of TYPED) {
      it(`of the typed text: ${data.slice(0, 60)}`, async () => {
        const found = await signed({ type: 'typed', data });

        const signature = await dataOf(found);

        assert.equal(signature.type, 'typed');
        assert.match(signature.data, IMAGE);
        const evidence = (await app.get(`/api/quotes/${found.id}/signature/evidence`, found.business.owner)).body;
        assert.deepEqual([evidence.data, evidence.typedText], [signature.data, data]);
        const text = (await app.get(found.page)).bytes.toString();
        assert.ok(text.includes(`<img src="${signature.data}"`));
      });
    }

    it('of the name without a typed text, and of the drawing', async () => {
      const named = await signed();
      const drawn = await signed({ type: 'drawn', data: await build.signatureUrl('jpeg') });

      assert.match((await dataOf(named)).data, IMAGE);
      assert.match((await dataOf(drawn)).data, IMAGE);
      const { body } = await app.get(`/api/quotes/${named.id}/signature/evidence`, named.business.owner);
      assert.equal(body.typedText, null);
    });

    for (const data of ['Luz Vega', 'L.', null]) {
      it(`of an older row with ${data === null ? 'nothing' : `«${data}»`}`, async () => {
        const business = await build.business();
        const { id } = await build.sentQuote(business);
        await olderSignature(app, business, id, { data });

        const signature = await dataOf({ business, id });

        assert.deepEqual([signature.type, signature.signerName], ['typed', 'Laura Méndez']);
        assert.match(signature.data, IMAGE);
      });
    }
  });
});

/** A signature as older versions stored it, without an image of the typed text. */
async function olderSignature(
  { deps }: Service,
  { tenantId }: build.Business,
  quoteId: string,
  { data }: { data: string | null },
): Promise<void> {
  const pdf = Buffer.from('%PDF-1.7 firmado entonces');
  const fileId = newId();
  const storageKey = `t/${tenantId}/quotes/${quoteId}/signed-${fileId}.pdf`;
  await deps.storage.put(storageKey, pdf, 'application/pdf');
  await deps.withTenant(tenantId, async (trx) => {
    const file = { tenantId, quoteId, storageKey, contentType: 'application/pdf', sizeBytes: pdf.length };
    await StoredFile.query(trx).insert({ ...file, id: fileId, kind: 'signed_pdf', sha256: sha256(pdf) });
    await Signature.query(trx).insert({
      id: newId(),
      tenantId,
      quoteId,
      type: 'typed',
      data,
      ...build.SIGNER,
      signedAt: new Date(),
      snapshot: '{}',
      snapshotSha256: sha256('{}'),
      pdfFileId: fileId,
      pdfSha256: sha256(pdf),
      consentText: 'Acepto',
      ip: '192.0.2.7',
      userAgent: 'x',
    });
  });
}
