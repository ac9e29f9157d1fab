import assert from 'node:assert/strict';
import { needs } from '../stack.ts';
import { dayOf } from '../../domain/zone.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';
import { eventsOf, storedQuote } from './stored.ts';

needs('storage');

const NOT_FOUND = [404, 'Cotización no encontrada'];
const UNKNOWN = 'A'.repeat(43);

describe('GET /api/portal/:token', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 with exactly the documented members, money as strings, without credentials', async () => {
    const business = await build.business({ email: 'ventas@acme.test', phone: '55 1234' });
    const items = [{ productName: 'Silla', model: 'S-1', unitPrice: 100, quantity: 2, discountPct: 10 }];
    const { portal } = await build.sentQuote(business, { items, shippingCost: 50, notes: 'Entrega en obra' });

    const res = await app.get(portal);

    const { expiresAt, validUntil, ...body } = res.body;
    assert.equal(res.status, 200);
    assert.ok(Date.parse(expiresAt) > Date.now());
    assert.equal(validUntil, dayOf(new Date(expiresAt), 'America/Mexico_City'));
    assert.deepEqual(body, {
      quoteNumber: 1,
      displayNumber: 'COT-1',
      attachments: [],
      title: null,
      reference: null,
      version: 1,
      status: 'SENT',
      isExpired: false,
      canRespond: true,
      business: { companyName: 'Acme', email: 'ventas@acme.test', phone: '55 1234', logoUrl: null },
      client: { contactName: 'Laura Méndez', companyName: 'La Palma' },
      items: [
        {
          productName: 'Silla',
          model: 'S-1',
          unitPrice: '100.00',
          quantity: 2,
          discountPct: '10.00',
          subtotal: '180.00',
          id: res.body.items[0].id,
          ...build.ADDED_TO_ITEM,
        },
      ],
      subtotal: '180.00',
      discount: '20.00',
      discountPct: '0.00',
      taxes: [{ code: 'DEFAULT', name: 'IVA', kind: 'transfer', rate: '0.16', base: '180.00', amount: '28.80' }],
      shippingTaxes: null,
      terms: null,
      deposit: null,
      tax: '28.80',
      shippingCost: '50.00',
      total: '258.80',
      currency: 'MXN',
      notes: 'Entrega en obra',
      signature: null,
    });
  });

  it('answers 200 for a quote in each status after GENERATED, with canRespond while it is SENT', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);

    for (const status of ['SENT', 'WON', 'LOST', 'ACCEPTED', 'REJECTED'] as const) {
      await build.patchQuote(business, id, { status });

      const res = await app.get(portal);

      assert.deepEqual([res.status, res.body.status, res.body.canRespond], [200, status, status === 'SENT']);
    }
  });

  it('answers 200 with isExpired and without canRespond after expiry', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await build.patchQuote(business, id, { expiresAt: new Date(Date.now() - 1_000) });

    const { status, body } = await app.get(portal);

    assert.deepEqual([status, body.status, body.isExpired, body.canRespond], [200, 'SENT', true, false]);
  });

  it('has no effects: no status change, no view, no event', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    const before = await storedQuote(business, id);

    await app.get(portal);
    await app.request('HEAD', portal);

    assert.deepEqual(await storedQuote(business, id), before);
    assert.deepEqual(
      (await eventsOf(business, id)).map(({ type }) => type),
      ['quote.created'],
    );
  });

  for (const token of [
    UNKNOWN,
    'x',
    'A'.repeat(44),
    'A'.repeat(500),
    "'; drop table quotes;--",
    '..%2f..%2fetc',
    '%00',
  ]) {
    it(`answers 404 «Cotización no encontrada» for the unknown token ${token.slice(0, 50)}`, async () => {
      const { status, body } = await app.get(`/api/portal/${encodeURIComponent(token)}`);

      assert.deepEqual([status, body.error], NOT_FOUND);
    });
  }

  it('answers 404 under /api/v1', async () => {
    const { publicToken } = await build.sentQuote(await build.business());

    const { status, body } = await app.get(`/api/v1/portal/${publicToken}`);

    assert.deepEqual([status, body.error], [404, 'Ruta no encontrada']);
  });
});

describe('GET /api/portal/:token/pdf', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 with the document, inline as COT-1.pdf', async () => {
    const { portal } = await build.sentQuote(await build.business());

    const res = await app.get(`${portal}/pdf`);

    assert.deepEqual([res.status, res.headers.get('Content-Type')], [200, 'application/pdf']);
    assert.equal(res.headers.get('Content-Disposition'), 'inline; filename="COT-1.pdf"');
    assert.equal(res.bytes.subarray(0, 5).toString(), '%PDF-');
  });
});
