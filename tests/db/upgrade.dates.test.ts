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

/** Quotes as that version wrote them: made at `createdAt`, and good for so many times 24 hours. */
const QUOTES = [
  { number: 1, status: 'SENT', createdAt: '2026-11-26T00:30:00Z', expiresAt: '2026-12-11T00:30:00.123Z' },
  { number: 2, status: 'GENERATED', createdAt: '2026-11-26T05:59:59Z', expiresAt: '2027-11-26T05:59:59.999Z' },
  { number: 3, status: 'ACCEPTED', createdAt: '2025-01-10T20:00:00Z', expiresAt: '2025-01-25T20:00:00Z' },
  { number: 4, status: 'SENT', createdAt: '2025-01-10T20:00:00Z', expiresAt: '2025-01-25T04:00:00Z' },
] as const;

describe('Data from a version with UTC days, after the upgrade', () => {
  let urls: MigrationUrls;
  let end: () => Promise<void>;
  let app: Service;
  const tenantId = newId();
  const { key, hash, prefix, last4 } = newApiKey();
  const owner = { Authorization: `Bearer ${key}` };
  const idOf = new Map(QUOTES.map(({ number }) => [number, newId()]));

  before(async () => {
    ({ urls, end } = await formerDatabase());
    await writeOldData();
    await migrate(urls);
    app = await ownService({ DATABASE_URL: urls.app }, (deps) => ({
      ...deps,
      now: () => new Date('2026-12-01T12:00:00Z'),
    }));
  });
  after(() => end());

  async function writeOldData(): Promise<void> {
    const db = connect({ url: urls.admin, pool: 1, applicationName: 'quoting-test' });
    const [userId, clientId] = [newId(), newId()];
    const slug = 't-vieja123';
    await db('tenants').insert({ id: tenantId, slug, companyName: 'Acme', plan: 'PRO', reminderDaysBefore: 3 });
    const email = 'diana@vieja.test';
    await db('users').insert({ id: userId, tenantId, email, name: 'Diana', role: 'OWNER', isActive: true });
    await db('apiKeys').insert({ id: newId(), tenantId, userId, name: 'prueba', hash, prefix, last4 });
    await db('clients').insert({ id: clientId, tenantId, contactName: 'Laura', companyName: 'La Palma S.A.' });
    for (const { number, status, createdAt, expiresAt } of QUOTES) {
      const id = idOf.get(number);
      const amounts = { subtotal: '2139.08', tax: '342.25', shippingCost: '0', total: '2481.33' };
      const terms = { currency: 'MXN', taxRate: '0.16', notes: '', status, createdAt, expiresAt };
      const client = { clientId, clientContactName: 'Laura', clientCompanyName: 'La Palma S.A.' };
      const token = { publicTokenHash: newId(), publicTokenSealed: 'x' };
      await db('quotes').insert({
        id,
        tenantId,
        quoteNumber: number,
        userId,
        ...client,
        ...terms,
        ...amounts,
        ...token,
      });
      const line = { productName: 'Silla', unitPrice: '285.21', quantity: 10, discountPct: '25', subtotal: '2139.08' };
      await db('quoteItems').insert({ id: newId(), tenantId, quoteId: id, position: 0, ...line });
      const entry = { tenantId, userId, actor: 'user', action: 'create', entity: 'quote', entityId: id };
      const metadata = JSON.stringify({ quoteNumber: number, total: '2481.330', currency: 'MXN', clientId });
      await db('auditLogs').insert({ id: newId(), ...entry, metadata, createdAt });
    }
    await db('quoteCounters').insert({ tenantId, lastNumber: QUOTES.length }).onConflict('tenantId').merge();
    const first = { tenantId, quoteId: idOf.get(1), version: 1, expiresAt: QUOTES[0].expiresAt };
    await db('expiryReminders').insert({ ...first, reminderDays: 3, remindAt: '2026-12-08T00:30:00.123Z' });
    await db.destroy();
  }

  it('get Mexican defaults, and quotes keep their expiry', async () => {
    const { timeZone, country } = (await app.get('/api/settings', owner)).body.data;
    const { data } = (await app.get('/api/quotes?sort=quoteNumber', owner)).body;

    assert.deepEqual([timeZone, country], ['America/Mexico_City', 'MX']);
    assert.deepEqual(
      data.map((quote: { expiresAt: string }) => quote.expiresAt),
      QUOTES.map(({ expiresAt }) => new Date(expiresAt).toISOString()),
    );
  });

  it('show the day in Mexico, and only open quotes expire', async () => {
    const { data } = (await app.get('/api/quotes?sort=quoteNumber', owner)).body;

    assert.deepEqual(
      data.map((quote: { validUntil: string; isExpired: boolean }) => [quote.validUntil, quote.isExpired]),
      [
        ['2026-12-10', false],
        ['2027-11-25', false],
        ['2025-01-25', false],
        ['2025-01-24', true],
      ],
    );
    for (const { number } of QUOTES) {
      const { body } = await app.get(`/api/quotes/${idOf.get(number)}`, owner);
      const listed = data.find((quote: { quoteNumber: number }) => quote.quoteNumber === number);
      assert.deepEqual([body.validUntil, body.isExpired], [listed.validUntil, listed.isExpired]);
    }
  });

  for (const [number, issued, until] of [
    [1, '25 de noviembre de 2026', '10 de diciembre de 2026, 18:30 (UTC-6)'],
    [2, '25 de noviembre de 2026', '25 de noviembre de 2027'],
    [4, '10 de enero de 2025', '24 de enero de 2025, 22:00 (UTC-6)'],
  ] as const) {
    it(`the PDF of COT-${number} shows: issued ${issued}, valid until ${until}`, async () => {
      const { bytes } = await app.get(`/api/quotes/${idOf.get(number)}/pdf`, owner);

      const { text } = await readPdf(bytes);

      assert.ok(text.includes(`Fecha de emisión ${issued} Vigente hasta ${until} Moneda`), text);
    });
  }

  it('are found by days in Mexico', async () => {
    const on = async (day: string) => {
      const { data } = (await app.get(`/api/quotes?from=${day}&to=${day}&sort=quoteNumber`, owner)).body;
      return data.map(({ quoteNumber }: { quoteNumber: number }) => quoteNumber);
    };

    assert.deepEqual([await on('2026-11-25'), await on('2026-11-26'), await on('2025-01-10')], [[1, 2], [], [3, 4]]);
  });

  it('the audit log shows amounts as decimal strings', async () => {
    const { data } = (await app.get('/api/audit-logs?entity=quote', owner)).body;

    const totals = data.map(({ metadata }: { metadata: { total: string } }) => metadata.total);
    assert.deepEqual(
      totals,
      QUOTES.map(() => '2481.33'),
    );
  });
});
