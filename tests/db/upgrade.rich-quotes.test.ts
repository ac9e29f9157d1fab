import assert from 'node:assert/strict';
import { newApiKey } from '../../adapters/crypto/api-keys.ts';
import { hashToken, newToken } from '../../adapters/crypto/tokens.ts';
import { connect } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { migrate } from '../../db/migrate.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import { ADDED_TO_ITEM, SIGNER } from '../api/build.ts';
import { ownService, type Service } from '../api/service.ts';
import { needs } from '../stack.ts';
import { formerDatabase } from './former-database.ts';

needs('storage');

describe('Quotes, templates, versions and products from a version without taxes and sections, after the upgrade', () => {
  let app: Service;
  let end: () => Promise<void>;
  const [tenantId, userId, clientId, productId, templateId] = [newId(), newId(), newId(), newId(), newId()];
  const { key, hash, prefix, last4 } = newApiKey();
  const owner = { Authorization: `Bearer ${key}` };

  const QUOTE = { version: 2, currency: 'MXN', taxRate: '0.16', notes: 'Entrega en obra' };
  const AMOUNTS = { subtotal: '2238.21', tax: '358.11', shippingCost: '99.90', total: '2696.22' };
  const EXPIRES = new Date('2026-12-15T06:00:00Z');
  const CREATED = new Date('2026-11-30T12:00:00Z');
  const CHAIR = { productId, productName: 'Silla', model: 'S-1', unitPrice: '285.21', quantity: 10, discountPct: '25.00', subtotal: '2139.08' }; // prettier-ignore
  const TABLE = { productId: null, productName: 'Mesa', model: null, unitPrice: '99.125', quantity: 1, discountPct: '0.00', subtotal: '99.13' }; // prettier-ignore
  const SNAPSHOT = { clientId, items: [TABLE], notes: '', subtotal: '99.13', tax: '15.86', shippingCost: '0.00', total: '114.99', taxRate: '0.16', currency: 'MXN', expiresAt: EXPIRES.toISOString() }; // prettier-ignore
  const TEMPLATE_ITEM = { productId, productName: 'Silla', model: 'S-1', unitPrice: 285.21, quantity: 10, discountPct: 25 }; // prettier-ignore
  const CLIENT = { contactName: 'Laura', companyName: 'La Palma', email: 'laura@palma.test', phone: null };

  /** One quote for each test that changes it. */
  const quotes = ['read', 'revised', 'duplicated', 'accepted', 'late'].map((use, at) => ({
    use,
    id: newId(),
    number: at + 1,
    token: newToken(),
    lines: [newId(), newId()] as const,
  }));
  function quoteFor(use: string) {
    const quote = quotes.find((one) => one.use === use);
    assert.ok(quote);
    return quote;
  }

  before(async function upgrade() {
    this.timeout(300_000);
    const database = await formerDatabase();
    ({ end } = database);
    const db = connect({ url: database.urls.admin, pool: 1, applicationName: 'quoting-test' });
    await db('tenants').insert({ id: tenantId, slug: 't-rica1234', companyName: 'Acme', plan: 'PRO' });
    await db('users').insert({ id: userId, tenantId, email: 'diana@rica.test', name: 'Diana', role: 'OWNER' });
    await db('apiKeys').insert({ id: newId(), tenantId, userId, name: 'prueba', hash, prefix, last4 });
    await db('clients').insert({ id: clientId, tenantId, ...CLIENT });
    const product = { name: 'Silla', modelSku: 'S-1', description: 'Malla', unitPrice: '285.21', currency: 'MXN' };
    await db('products').insert({ id: productId, tenantId, ...product, createdAt: CREATED, updatedAt: CREATED });
    const items = JSON.stringify([TEMPLATE_ITEM]);
    const template = { name: 'Oficina', items, notes: null, shippingCost: '99.9', currency: 'MXN' };
    await db('templates').insert({ id: templateId, tenantId, userId, ...template });
    async function insertQuote({ id, number, token, lines }: (typeof quotes)[number]) {
      const client = { clientId, clientContactName: 'Laura', clientCompanyName: 'La Palma' };
      const link = { publicTokenHash: hashToken(token), publicTokenSealed: 'x' };
      const state = { quoteNumber: number, status: 'SENT', expiresAt: EXPIRES, createdAt: CREATED };
      await db('quotes').insert({ id, tenantId, userId, ...client, ...QUOTE, ...AMOUNTS, ...link, ...state });
      for (const [position, line] of [CHAIR, TABLE].entries()) {
        await db('quoteItems').insert({ id: lines[position], tenantId, quoteId: id, position, ...line });
      }
      const version = { version: 1, snapshot: JSON.stringify(SNAPSHOT), userId, createdAt: CREATED };
      await db('quoteVersions').insert({ id: newId(), tenantId, quoteId: id, ...version });
    }
    for (const quote of quotes) if (quote.use !== 'late') await insertQuote(quote);
    await db('quoteCounters').insert({ tenantId, lastNumber: quotes.length }).onConflict('tenantId').merge();
    await migrate(database.urls);
    // During an upgrade the former version still runs.
    await insertQuote(quoteFor('late'));
    await db.destroy();
    app = await ownService({ DATABASE_URL: database.urls.app }, (deps) => ({
      ...deps,
      now: () => new Date('2026-12-01T12:00:00Z'),
    }));
  });
  after(() => end());

  /** Specified members, and the added ones with their defaults. */
  const expectedLine = (id: string | undefined, line: typeof CHAIR | typeof TABLE) => ({
    id,
    ...line,
    product: line.productId === null ? null : { id: productId, name: 'Silla', modelSku: 'S-1' },
    ...ADDED_TO_ITEM,
  });
  const expectedMembers = ({ id, number }: { id: string; number: number }) => ({
    id,
    quoteNumber: number,
    status: 'SENT',
    version: 2,
    currency: 'MXN',
    notes: QUOTE.notes,
    ...AMOUNTS,
    expiresAt: EXPIRES.toISOString(),
    validUntil: '2026-12-15',
    isExpired: false,
    viewCount: 0,
    createdAt: CREATED.toISOString(),
    client: { id: clientId, ...CLIENT },
    labels: [],
    answer: null,
    displayNumber: `COT-${number}`,
    title: null,
    reference: null,
    discount: '713.02',
  });

  for (const [name, use, discount] of [
    ['a quote', 'read', '713.02'],
    // The migration computed it for the others.
    ['a quote that the former version wrote after the migration', 'late', '0.00'],
  ] as const) {
    it(`${name} reads as before, with the added members at their defaults`, async () => {
      const { lines, ...quote } = quoteFor(use);

      const { status, body } = await app.get(`/api/quotes/${quote.id}`, owner);

      assert.equal(status, 200);
      assert.deepEqual(body, {
        ...expectedMembers(quote),
        discount,
        taxRate: '0.16',
        items: [expectedLine(lines[0], CHAIR), expectedLine(lines[1], TABLE)],
        user: { name: 'Diana', email: 'diana@rica.test' },
        discountPct: '0.00',
        taxes: [{ code: 'DEFAULT', name: 'IVA', kind: 'transfer', rate: '0.16', base: '2238.21', amount: '358.11' }],
        shippingTaxes: null,
        terms: null,
        internalNotes: null,
        deposit: null,
        metadata: {},
        attachments: [],
      });
    });
  }

  it('a list has it with the added members of lists', async () => {
    const quote = quoteFor('read');

    const { body } = await app.get('/api/quotes?search=COT-1', owner);

    assert.equal(body.total, 1);
    assert.deepEqual(body.data, [{ ...expectedMembers(quote), user: { name: 'Diana' }, _count: { items: 2 } }]);
  });

  it('a former version reads as it was stored', async () => {
    const { body } = await app.get(`/api/quotes/${quoteFor('read').id}/versions`, owner);

    assert.deepEqual(
      body.map(({ version, snapshot }: { version: number; snapshot: unknown }) => [version, snapshot]),
      [[1, SNAPSHOT]],
    );
  });

  it('a product has neither unit nor taxes', async () => {
    const { body } = await app.get(`/api/products/${productId}`, owner);

    assert.deepEqual(body, {
      id: productId,
      name: 'Silla',
      modelSku: 'S-1',
      description: 'Malla',
      unitPrice: '285.21',
      currency: 'MXN',
      unit: null,
      taxes: null,
      isActive: true,
      createdAt: CREATED.toISOString(),
      updatedAt: CREATED.toISOString(),
    });
  });

  it('a template reads as before, and gives a quote with the same amounts', async () => {
    const { body: template } = await app.get(`/api/templates/${templateId}`, owner);
    const { status, body } = await app.post(
      '/api/connector/actions/create-from-template',
      { templateId, clientId },
      owner,
    );

    const { counts: _, ...added } = ADDED_TO_ITEM;
    assert.deepEqual(template.items, [{ ...TEMPLATE_ITEM, ...added }]);
    assert.deepEqual(
      [template.title, template.terms, template.internalNotes, template.discountPct, template.deposit],
      [null, null, null, 0, null],
    );
    assert.deepEqual([status, body.subtotal, body.tax, body.total], [201, 2139.08, 342.25, 2581.23]);
    assert.equal(body.displayNumber, `COT-${body.quoteNumber}`);
  });

  it('a quote gives a PDF with its number, amounts and one tax', async () => {
    const { status, bytes } = await app.get(`/api/quotes/${quoteFor('read').id}/pdf`, owner);

    const { text } = await readPdf(bytes);
    assert.equal(status, 200);
    for (const shown of ['COT-1', '2,139.08', '2,238.21', '358.11', '2,696.22']) assert.ok(text.includes(shown), text);
  });

  it('a quote can be revised, also with the new members, and keeps number, rate and its tax', async () => {
    const { id } = quoteFor('revised');
    const items = [{ productId, productName: 'Silla', unitPrice: 100, quantity: 2 }];

    const plain = await app.post(`/api/quotes/${id}/revise`, { clientId, items }, owner);
    const rich = await app.post(
      `/api/quotes/${id}/revise`,
      { clientId, items: [{ ...items[0], unit: 'm²', quantity: 1.5, taxes: ['IVA8'] }], title: 'Obra' },
      owner,
    );

    assert.deepEqual([plain.status, plain.body.version, plain.body.displayNumber], [200, 3, 'COT-2']);
    assert.deepEqual([plain.body.subtotal, plain.body.tax, plain.body.total], [200, 32, 232]);
    assert.deepEqual(plain.body.taxes, [
      { code: 'DEFAULT', name: 'IVA', kind: 'transfer', rate: 0.16, base: 200, amount: 32 },
    ]);
    assert.deepEqual([rich.status, rich.body.title, rich.body.tax, rich.body.total], [200, 'Obra', 12, 162]);
    const { body: versions } = await app.get(`/api/quotes/${id}/versions`, owner);
    assert.deepEqual(versions.map(({ version }: { version: number }) => version).toSorted(), [1, 2, 3]);
  });

  it('a quote can be duplicated, with the same amounts', async () => {
    const { status, body } = await app.post(`/api/quotes/${quoteFor('duplicated').id}/duplicate`, {}, owner);

    assert.deepEqual([status, body.displayNumber], [201, `COT-${body.quoteNumber}`]);
    assert.deepEqual([body.subtotal, body.discount, body.tax, body.total], [2238.21, 713.02, 358.11, 2696.22]);
  });

  it('a quote can be read and accepted by its client', async () => {
    const { id, token } = quoteFor('accepted');

    const shown = await app.get(`/api/portal/${token}`);
    const accepted = await app.post(`/api/portal/${token}/accept`, { ...SIGNER, version: 2 });

    assert.deepEqual([shown.status, shown.body.displayNumber, shown.body.total], [200, 'COT-4', '2696.22']);
    assert.deepEqual([accepted.status, accepted.body.status], [200, 'ACCEPTED']);
    assert.equal((await app.get(`/api/quotes/${id}`, owner)).body.status, 'ACCEPTED');
  });
});
