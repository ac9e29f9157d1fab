import assert from 'node:assert/strict';
import { newApiKey } from '../../adapters/crypto/api-keys.ts';
import { connect } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { migrate, type MigrationUrls } from '../../db/migrate.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import { ownService, type Service } from '../api/service.ts';
import { needs } from '../stack.ts';
import { formerDatabase } from './former-database.ts';

needs('storage');

/** Tax ids as that version stored them, and how they are printed. */
const CLIENTS = [
  { taxId: 'GODE561231GR8', printed: 'RFC: GODE561231GR8' },
  { taxId: 'gode-561231-gr8', printed: 'RFC: GODE561231GR8' },
  { taxId: 'GODE561231GR9', printed: 'RFC: GODE561231GR9' },
  { taxId: 'pendiente', printed: 'RFC: pendiente' },
  { taxId: 'GODE 561331\nGR8', printed: 'RFC: GODE 561331 GR8' },
  { taxId: '12-3456789', printed: 'RFC: 12-3456789' },
  { taxId: null, printed: null },
] as const;

describe('Tax ids and accounts from a version without validation, after the upgrade', () => {
  let urls: MigrationUrls;
  let end: () => Promise<void>;
  let app: Service;
  const tenantId = newId();
  const { key, hash, prefix, last4 } = newApiKey();
  const owner = { Authorization: `Bearer ${key}` };
  const ids = CLIENTS.map(() => newId());

  before(async () => {
    ({ urls, end } = await formerDatabase());
    const db = connect({ url: urls.admin, pool: 1, applicationName: 'quoting-test' });
    const userId = newId();
    const bankInfo = JSON.stringify({ bankName: 'Banco', clabe: '0321-8000 (Mexico)' });
    const pdfBranding = JSON.stringify({ paperSize: 'A4' });
    const business = { companyName: 'Acme', plan: 'PRO', reminderDaysBefore: 3, bankInfo, pdfBranding };
    await db('tenants').insert({ id: tenantId, slug: 't-vieja456', ...business });
    const email = 'diana@identidad.test';
    await db('users').insert({ id: userId, tenantId, email, name: 'Diana', role: 'OWNER', isActive: true });
    await db('apiKeys').insert({ id: newId(), tenantId, userId, name: 'prueba', hash, prefix, last4 });
    for (const [at, { taxId }] of CLIENTS.entries()) {
      await db('clients').insert({
        id: ids[at],
        tenantId,
        contactName: `Cliente ${at}`,
        taxId,
        address: 'Calle 1\nPuebla',
      });
    }
    await db('quoteCounters').insert({ tenantId, lastNumber: 0 }).onConflict('tenantId').merge();
    await db.destroy();
    await migrate(urls);
    app = await ownService({ DATABASE_URL: urls.app });
  });
  after(() => end());

  async function pdfFor(clientId: string | undefined) {
    const items = [{ productName: 'Silla', unitPrice: 100, quantity: 1 }];
    const { body } = await app.post('/api/quotes', { clientId, items }, owner);
    const { bytes } = await app.get(`/api/quotes/${body.id}/pdf`, owner);
    return { bytes, ...(await readPdf(bytes)) };
  }

  it('stay unchanged, for clients of the business’s country', async () => {
    const answers = await Promise.all(ids.map(async (id) => (await app.get(`/api/clients/${id}`, owner)).body));

    assert.deepEqual(
      answers.map(({ taxId, country, warnings }) => [taxId, country, warnings]),
      CLIENTS.map(({ taxId }) => [taxId, 'MX', undefined]),
    );
  });

  it('belong to clients and a business without a language, which read Spanish', async () => {
    const { locale } = (await app.get('/api/settings', owner)).body.data;
    const client = (await app.get(`/api/clients/${ids[0]}`, owner)).body;

    assert.deepEqual([locale, client.locale], ['es-MX', null]);
    assert.equal((await pdfFor(ids[0])).info['Language'], 'es-MX');
  });

  it('do not prevent changes of other members', async () => {
    for (const [at, id] of ids.entries()) {
      const { status, body } = await app.patch(`/api/clients/${id}`, { phone: '55 1234 5678' }, owner);
      assert.deepEqual([status, body.taxId, body.warnings], [200, CLIENTS[at]?.taxId, undefined]);
    }
  });

  for (const [at, { taxId, printed }] of CLIENTS.entries()) {
    it(`${JSON.stringify(taxId)} is printed as ${JSON.stringify(printed)}`, async () => {
      const { text } = await pdfFor(ids[at]);

      assert.ok(text.includes(` Cliente ${at} ${printed ? `${printed} ` : ''}Calle 1 Puebla `), text);
    });
  }

  it('an account is printed as entered, on the chosen paper', async () => {
    const { bytes, text } = await pdfFor(ids[0]);
    const { data } = (await app.get('/api/settings', owner)).body;

    assert.ok(text.includes('CLABE: 0321-8000 (Mexico)'), text);
    assert.match(bytes.toString('latin1'), /MediaBox \[0 0 595\.28 841\.89\]/);
    assert.deepEqual([data.legalName, data.taxId, data.paperSize], [null, null, null]);
    assert.deepEqual(data.bankInfo, { bankName: 'Banco', clabe: '0321-8000 (Mexico)' });
  });
});
