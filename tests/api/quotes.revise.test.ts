import assert from 'node:assert/strict';
import type { QuoteStatus } from '../../domain/quote-status.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf, eventsOf, storedQuote } from './stored.ts';

const ITEMS = [{ productName: 'Mesa', unitPrice: 50, quantity: 3 }];

describe('POST /api/quotes/:id/revise', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  type Quoted = Awaited<ReturnType<typeof build.quote>>;
  const revise = (quote: Quoted, as: Credential, body: object = {}) =>
    app.post(`/api/quotes/${quote.id}/revise`, { clientId: quote.client.id, items: ITEMS, ...body }, as);

  it('answers 200 with the new lines and amounts as numbers, the next version, and no token', async () => {
    const { owner } = await build.business();
    const quote = await build.quote(owner);

    const res = await revise(quote, owner);

    assert.equal(res.status, 200);
    const { id, quoteNumber, version, status, subtotal, tax, shippingCost, total } = res.body;
    assert.deepEqual([id, quoteNumber, version, status], [quote.id, 1, 2, 'GENERATED']);
    assert.deepEqual([subtotal, tax, shippingCost, total], [150, 24, 0, 174]);
    assert.deepEqual(
      res.body.items.map((item: { productName: string }) => item.productName),
      ['Mesa'],
    );
    assert.deepEqual(res.body.client, quote.client);
    assert.ok(!('publicToken' in res.body));
  });

  it('answers 400 to lines of more than 200 000 characters and changes nothing', async () => {
    const { owner } = await build.business();
    const { id, client } = await build.quote(owner);
    const items = Array.from({ length: 101 }, () => ({ ...build.ITEM, productName: 'ñ'.repeat(2_000) }));

    const res = await app.post(`/api/quotes/${id}/revise`, { clientId: client.id, items }, owner);

    assert.equal(res.status, 400);
    assert.equal(res.body.error, 'items: debe tener como máximo 200000 caracteres de texto en total');
    assert.equal((await app.get(`/api/quotes/${id}`, owner)).body.version, 1);
  });

  it('absent notes, currency and expiry are unchanged; absent shipping is 0', async () => {
    const business = await build.business({ defaultNotes: 'Otras' });
    const expiresAt = new Date(Date.now() + 50 * 86_400_000).toISOString();
    const quote = await build.quote(business.owner, { notes: 'Hola', currency: 'USD', expiresAt, shippingCost: 5 });

    const { body } = await revise(quote, business.owner);

    assert.deepEqual([body.notes, body.currency, body.expiresAt, body.shippingCost], ['Hola', 'USD', expiresAt, 0]);
  });

  it('changes given notes, currency and expiry', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner, { notes: 'Hola' });
    const expiresAt = new Date(Date.now() + 50 * 86_400_000).toISOString();

    const { body } = await revise(quote, business.owner, { notes: '', currency: 'USD', expiresAt });

    assert.deepEqual([body.notes, body.currency, body.expiresAt], ['', 'USD', expiresAt]);
  });

  it('keeps the tax rate of the quote', async () => {
    const business = await build.business({ taxRate: '0.08' });
    const quote = await build.quote(business.owner);
    await build.patchTenant(business, { taxRate: '0.16' });

    const { body } = await revise(quote, business.owner);

    assert.deepEqual([body.taxRate, body.tax], [0.08, 12]);
  });

  it('keeps the status SENT', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner);
    await build.patchQuote(business, quote.id, { status: 'SENT' });

    const res = await revise(quote, business.owner);

    assert.deepEqual([res.status, res.body.status], [200, 'SENT']);
  });

  const finals: readonly QuoteStatus[] = ['WON', 'LOST', 'ACCEPTED', 'REJECTED'];
  for (const status of finals) {
    it(`answers 400 «No se puede cambiar de ${status} a GENERATED» and changes nothing`, async () => {
      const business = await build.business();
      const quote = await build.quote(business.owner);
      await build.patchQuote(business, quote.id, { status });
      const before = await storedQuote(business, quote.id);

      const res = await revise(quote, business.owner);

      const refusal = [400, `No se puede cambiar de ${status} a GENERATED`, 'invalid_transition'];
      assert.deepEqual([res.status, res.body.error, res.body.code], refusal);
      assert.deepEqual(await storedQuote(business, quote.id), before);
      assert.deepEqual((await app.get(`/api/quotes/${quote.id}/versions`, business.owner)).body, []);
    });
  }

  it('changes the public token only with the client', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner);
    const other = await build.client(business.owner, { contactName: 'Pedro' });
    const link = async () => (await app.get(`/api/quotes/${quote.id}/link`, business.owner)).body.publicToken;

    await revise(quote, business.owner);
    const afterSame = await link();
    const res = await revise(quote, business.owner, { clientId: other.id });
    const afterOther = await link();

    assert.equal(afterSame, quote.publicToken);
    assert.notEqual(afterOther, quote.publicToken);
    assert.equal(res.body.client.contactName, 'Pedro');
    assert.equal((await storedQuote(business, quote.id)).clientContactName, 'Pedro');
  });

  it('answers 404 «Cliente no encontrado» to another client that is inactive or of another business', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner);
    const inactive = await build.client(business.owner);
    await app.request('DELETE', `/api/clients/${inactive.id}`, { headers: business.owner });
    const foreign = await build.client((await build.business()).owner);

    const responses = [
      await revise(quote, business.owner, { clientId: inactive.id }),
      await revise(quote, business.owner, { clientId: foreign.id }),
    ];

    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.error]),
      [
        [404, 'Cliente no encontrado'],
        [404, 'Cliente no encontrado'],
      ],
    );
  });

  it('accepts the current client even if it was deactivated', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner);
    await app.request('DELETE', `/api/clients/${quote.client.id}`, { headers: business.owner });

    const res = await revise(quote, business.owner);

    assert.equal(res.status, 200);
  });

  it('answers 404 «Producto no encontrado» to a product of another business', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner);
    const { id: productId } = await build.product(await build.business());

    const res = await revise(quote, business.owner, { items: [{ ...build.ITEM, productId }] });

    assert.deepEqual([res.status, res.body.error], [404, 'Producto no encontrado']);
  });

  it('answers 400 «items: debe tener al menos un elemento»', async () => {
    const { owner } = await build.business();
    const quote = await build.quote(owner);

    const res = await revise(quote, owner, { items: [] });

    assert.deepEqual([res.status, res.body.error], [400, 'items: debe tener al menos un elemento']);
  });

  it('answers 400 to a leap second as expiresAt', async () => {
    const { owner } = await build.business();
    const quote = await build.quote(owner);

    const res = await revise(quote, owner, { expiresAt: '2027-06-30T23:59:60Z' });

    assert.deepEqual([res.status, res.body.error], [400, 'expiresAt: debe ser una fecha y hora ISO 8601']);
  });

  it('ignores status, quoteNumber and total in the body', async () => {
    const { owner } = await build.business();
    const quote = await build.quote(owner);

    const { body } = await revise(quote, owner, { status: 'WON', quoteNumber: 99, total: 1 });

    assert.deepEqual([body.status, body.quoteNumber, body.version, body.total], ['GENERATED', 1, 2, 174]);
  });

  it('writes one audit entry «quote.revised» with before and after, and one event quote.revised, neither with a token', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner);

    await revise(quote, business.owner);

    const [, entry, ...others] = await auditOf(business, quote.id);
    assert.deepEqual([entry?.action, entry?.entity, others.length], ['quote.revised', 'quote', 0]);
    const summaryOf = (member: string) => Object.entries(entry?.metadata[member] ?? {}).slice(0, 4);
    const kept = [
      ['clientId', quote.client.id],
      ['currency', 'MXN'],
    ];
    assert.deepEqual(summaryOf('before'), [['version', 1], ...kept, ['total', '232.00']]);
    assert.deepEqual(summaryOf('after'), [['version', 2], ...kept, ['total', '174.00']]);
    const events = await eventsOf(business, quote.id);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['quote.created', 'quote.revised', 'quote.version_created'],
    );
    assert.ok(!JSON.stringify([entry, events]).includes(quote.publicToken));
  });

  it('ten concurrent revisions get different versions', async () => {
    const { owner } = await build.business();
    const quote = await build.quote(owner);

    const responses = await Promise.all(Array.from({ length: 10 }, () => revise(quote, owner)));

    const versions = responses.map(({ body }) => body.version).toSorted((a, b) => a - b);
    assert.deepEqual(versions, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('keeps the quote number while others are created', async () => {
    const { owner } = await build.business();
    const quote = await build.quote(owner);
    const copy = await app.post(`/api/quotes/${quote.id}/duplicate`, undefined, owner);
    const revised = await revise(quote, owner);
    const next = await build.quote(owner);

    assert.deepEqual([copy.body.quoteNumber, revised.body.quoteNumber, next.quoteNumber], [2, 1, 3]);
  });
});

describe('GET /api/quotes/:id/versions', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 with the earlier versions, newest first, with money as strings and the reviser', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner, { notes: 'Uno', shippingCost: 9.5 });
    const { expiresAt } = (await app.get(`/api/quotes/${quote.id}`, business.owner)).body;
    const diego = await build.member(business, { role: 'OWNER' });
    const path = `/api/quotes/${quote.id}`;
    await app.post(`${path}/revise`, { clientId: quote.client.id, items: ITEMS, notes: 'Dos' }, business.owner);
    await app.post(`${path}/revise`, { clientId: quote.client.id, items: ITEMS }, diego.as);

    const res = await app.get(`${path}/versions`, business.owner);

    assert.equal(res.status, 200);
    const [second, first] = res.body;
    assert.deepEqual([second.version, second.createdBy, second.snapshot.notes], [2, 'Carlos', 'Dos']);
    assert.deepEqual([first.version, first.createdBy], [1, 'Diana']);
    assert.deepEqual(first.snapshot, {
      clientId: quote.client.id,
      items: [
        {
          productId: null,
          productName: 'Silla',
          model: null,
          unitPrice: '100.00',
          quantity: 2,
          discountPct: '0.00',
          subtotal: '200.00',
          ...build.ADDED_TO_ITEM,
        },
      ],
      notes: 'Uno',
      attachments: [],
      title: null,
      reference: null,
      terms: null,
      internalNotes: null,
      metadata: {},
      deposit: null,
      discount: '0.00',
      discountPct: '0.00',
      taxes: [{ code: 'DEFAULT', name: 'IVA', kind: 'transfer', rate: '0.16', base: '200.00', amount: '32.00' }],
      shippingTaxes: null,
      subtotal: '200.00',
      tax: '32.00',
      shippingCost: '9.50',
      total: '241.50',
      taxRate: '0.16',
      currency: 'MXN',
      expiresAt,
    });
  });
});
