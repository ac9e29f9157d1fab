import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import sharp from 'sharp';
import { newApiKey } from '../../adapters/crypto/api-keys.ts';
import { hashToken, newToken } from '../../adapters/crypto/tokens.ts';
import { connect } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { migrate } from '../../db/migrate.ts';
import { ownService, type Service } from '../api/service.ts';
import { needs } from '../stack.ts';
import { formerDatabase } from './former-database.ts';

needs('storage');

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

describe('Signed quotes of an older version', () => {
  const PDF = Buffer.from('%PDF-1.7 firmado con la versión anterior');
  const tenantId = newId();
  const userId = newId();
  const key = newApiKey();
  const as = { Authorization: `Bearer ${key.key}` };
  let app: Service;
  let owner: Knex;
  let end: () => Promise<void>;
  let drawn = '';

  interface Old {
    readonly id: string;
    readonly token: string;
    readonly storageKey: string;
  }
  const quotes = new Map<string, Old>();

  before(async function upgrade() {
    this.timeout(60_000);
    const database = await formerDatabase();
    ({ end } = database);
    const { urls } = database;
    owner = connect({ url: urls.admin, pool: 1, applicationName: 'quoting-test' });
    const png = await sharp({ create: { width: 30, height: 9, channels: 3, background: '#14213d' } }).png().toBuffer(); // prettier-ignore
    drawn = `data:image/png;base64,${png.toString('base64')}`;
    await owner('tenants').insert({ id: tenantId, slug: 't-abcd1234', company_name: 'Muebles Roble', plan: 'PRO', bank_info: '{"bankName":"Banco de Hoy"}' }); // prettier-ignore
    await owner('users').insert({ id: userId, tenant_id: tenantId, email: 'ana@roble.test', name: 'Ana', role: 'OWNER', password_hash: 'x' }); // prettier-ignore
    await owner('clients').insert({
      id: 'c1',
      tenant_id: tenantId,
      contact_name: 'Laura',
      email: 'laura@cliente.test',
    });
    await owner('quote_counters').insert({ tenant_id: tenantId, last_number: 9 });
    await insertQuote('typed', { type: 'typed', data: 'Luz Vega' });
    await insertQuote('named', { type: 'typed', data: null });
    await insertQuote('in Arabic', { type: 'typed', data: 'محمد العربي' });
    await insertQuote('drawn', { type: 'drawn', data: drawn });
    await insertQuote('without its file', { type: 'typed', data: 'Luz Vega' });

    await migrate(urls);

    await owner('api_keys').insert({ id: newId(), tenant_id: tenantId, user_id: userId, name: 'Prueba', hash: key.hash, prefix: key.prefix, last4: key.last4 }); // prettier-ignore
    app = await ownService({ DATABASE_URL: urls.app, DATABASE_DISPATCHER_URL: urls.dispatcher, LOG_LEVEL: 'silent' });
    for (const [what, { storageKey }] of quotes) {
      if (what !== 'without its file') await app.deps.storage.put(storageKey, PDF, 'application/pdf');
    }
  });
  after(async () => {
    await owner.destroy();
    await end();
  });

  async function insertQuote(what: string, signature: { type: string; data: string | null }): Promise<void> {
    const [id, fileId, token] = [newId(), newId(), newToken()];
    const storageKey = `t/${tenantId}/quotes/${id}/signed-${fileId}.pdf`;
    const ids = { tenant_id: tenantId, quote_id: id };
    const amounts = { tax_rate: '0.16', subtotal: '100', tax: '16', shipping_cost: '0', total: '116', currency: 'MXN' };
    const people = { client_id: 'c1', client_contact_name: 'Laura', user_id: userId };
    const state = { status: 'ACCEPTED', expires_at: new Date('2026-12-11T00:30:00Z'), quote_number: quotes.size + 1 };
    const link = { public_token_hash: hashToken(token), public_token_sealed: 'x' };
    await owner('quotes').insert({ id, tenant_id: tenantId, ...amounts, ...people, ...state, ...link });
    const item = {
      position: 1,
      product_name: 'Silla',
      unit_price: '100',
      quantity: 1,
      discount_pct: '0',
      subtotal: '100',
    };
    await owner('quote_items').insert({ id: newId(), ...ids, ...item });
    const file = {
      kind: 'signed_pdf',
      storage_key: storageKey,
      content_type: 'application/pdf',
      size_bytes: PDF.length,
    };
    await owner('files').insert({ id: fileId, ...ids, ...file, sha256: sha256(PDF) });
    const evidence = { snapshot: '{}', snapshot_sha256: sha256('{}'), pdf_sha256: sha256(PDF), pdf_file_id: fileId };
    const signer = {
      signer_name: 'Laura Méndez',
      signer_email: 'laura@cliente.test',
      ip: '192.0.2.7',
      user_agent: 'x',
    };
    await owner('signatures').insert({ id: newId(), ...ids, version: 1, consent_text: 'Acepto', ...evidence, ...signer, ...signature }); // prettier-ignore
    quotes.set(what, { id, token, storageKey });
  }

  const quote = (what: string): Old => quotes.get(what) ?? assert.fail(what);

  for (const what of ['typed', 'named', 'in Arabic', 'drawn']) {
    it(`(${what}) give every reader the same bytes after the upgrade`, async () => {
      const { id, token } = quote(what);

      const got = await app.get(`/api/quotes/${id}/pdf`, as);
      const { pdfUrl } = (await app.post(`/api/quotes/${id}/pdf`, undefined, as)).body;
      const evidence = (await app.get(`/api/quotes/${id}/signature/evidence`, as)).body;
      const portal = await app.get(`/api/portal/${token}/pdf`);

      const linked = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
      const all = [got.bytes, await linked(pdfUrl), await linked(evidence.pdfUrl), portal.bytes];
      assert.deepEqual(all.map(sha256), all.map(() => evidence.pdfSha256)); // prettier-ignore
    });

    it(`(${what}) have an image as signature data, and the typed text in the evidence`, async () => {
      const { id } = quote(what);

      const { signature } = (await app.get(`/api/quotes/${id}/signature`, as)).body;
      const evidence = (await app.get(`/api/quotes/${id}/signature/evidence`, as)).body;

      assert.match(signature.data, /^data:image\/png;base64,[A-Za-z0-9+/]+=*$/);
      assert.equal(evidence.data, signature.data);
      assert.equal(evidence.consentLocale, 'es-MX');
      assert.equal(evidence.typedText, { typed: 'Luz Vega', 'in Arabic': 'محمد العربي' }[what] ?? null);
      if (what === 'drawn') assert.equal(signature.data, drawn);
    });

    it(`(${what}) have a page without the current bank account`, async () => {
      const page = await app.get(`/p/${quote(what).token}`);

      assert.equal(page.status, 200);
      assert.doesNotMatch(page.bytes.toString(), /Banco de Hoy/);
    });
  }

  it('without their file answer 503 to readers of the document only', async () => {
    const { id, token } = quote('without its file');

    assert.equal((await app.get(`/api/quotes/${id}/pdf`, as)).status, 503);
    assert.equal((await app.post(`/api/quotes/${id}/pdf`, undefined, as)).status, 503);
    assert.equal((await app.get(`/api/portal/${token}/pdf`)).status, 503);
    assert.equal((await app.get(`/api/quotes/${id}`, as)).body.status, 'ACCEPTED');
    assert.match((await app.get(`/api/quotes/${id}/signature`, as)).body.signature.data, /^data:image\/png/);
    assert.equal((await app.get(`/p/${token}`)).status, 200);
  });

  it('keep their rows unchanged', async () => {
    const kept = await owner('signatures').select('data', 'look', 'typed_text').orderBy('quote_id');

    assert.equal(kept.length, quotes.size);
    assert.deepEqual(new Set(kept.map(({ look, typedText: typed }) => `${look} ${typed}`)), new Set(['null null']));
    assert.deepEqual(new Set(kept.map(({ data }) => data)), new Set(['Luz Vega', null, 'محمد العربي', drawn]));
  });
});
