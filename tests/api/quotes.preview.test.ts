import assert from 'node:assert/strict';
import { Tenant } from '../../db/models/tenant.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { rowCounts } from './stored.ts';

describe('POST /api/quotes/preview', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const preview = (body: object, as: Credential, query = '') => app.post(`/api/quotes/preview${query}`, body, as);

  /** Sections, options, two taxes, both discounts, shipping and a deposit. */
  const RICH = {
    items: [
      { productName: 'Silla', unitPrice: 1850.5, quantity: 3, discountPct: 10, taxes: ['IVA16'], section: 'Muebles' },
      { productName: 'Tela', unit: 'm²', unitPrice: 0.333333, quantity: 2.5, taxes: ['IVA8', 'RET_IVA'] },
      { productName: 'Lámpara', unitPrice: 980, quantity: 1, optional: true },
      { productName: 'Roble', unitPrice: 10, quantity: 1, choice: 'Acabado' },
      { productName: 'Nogal', unitPrice: 20, quantity: 1, choice: 'Acabado', selected: true },
    ],
    discountPct: 5,
    shippingCost: 450,
    shippingTaxes: ['IVA16'],
    deposit: { type: 'percent', value: 50 },
    title: 'Oficina',
  };

  it('answers the amounts that creating the same quote gives, as decimal strings', async () => {
    const business = await build.business({ defaultTerms: 'Contado', defaultNotes: 'Gracias' });
    const { id: clientId } = await build.client(business.owner);

    const shown = await preview({ clientId, ...RICH }, business.owner);
    const { id } = await build.quote(business.owner, { clientId, ...RICH });

    assert.equal(shown.status, 200, JSON.stringify(shown.body));
    const stored = (await app.get(`/api/quotes/${id}`, business.owner)).body;
    const MEMBERS = ['currency', 'taxRate', 'subtotal', 'discount', 'tax', 'shippingCost', 'total', 'taxes', 'shippingTaxes', 'discountPct', 'deposit', 'terms', 'notes', 'validUntil']; // prettier-ignore
    const amounts = (quote: typeof stored) => [
      ...MEMBERS.map((name) => quote[name]),
      ...quote.items.map(({ subtotal, counts }: (typeof stored)['items'][number]) => ({ subtotal, counts })),
    ];
    assert.deepEqual(amounts(shown.body), amounts(stored));
    assert.equal(shown.body.terms, 'Contado');
  });

  it('writes nothing and takes no number', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner);

    const before = await rowCounts(business);

    for (const _ of [1, 2, 3]) assert.equal((await preview({ clientId, ...RICH }, business.owner)).status, 200);

    assert.deepEqual(await rowCounts(business), before);
    assert.equal((await build.quote(business.owner, { clientId })).quoteNumber, 1);
  });

  it('answers 200 without a client, and 404 for a client or product of another business', async () => {
    const { owner } = await build.business();
    const other = await build.business();
    const { id: clientId } = await build.client(other.owner);
    const { id: productId } = await build.product(other);

    const without = await preview({ items: [build.ITEM] }, owner);
    const client = await preview({ clientId, items: [build.ITEM] }, owner);
    const product = await preview({ items: [{ ...build.ITEM, productId }] }, owner);

    assert.deepEqual([without.status, without.body.total], [200, '232.00']);
    assert.deepEqual([client.status, client.body.error], [404, 'Cliente no encontrado']);
    assert.deepEqual([product.status, product.body.error], [404, 'Producto no encontrado']);
  });

  it('refuses what creating refuses, with the same details', async () => {
    const { owner } = await build.business();
    const { id: clientId } = await build.client(owner);
    const wrong = [
      { items: [{ ...build.ITEM, quantity: 1.5 }] },
      { items: [{ ...build.ITEM, taxes: ['IVA17'] }] },
      { items: [build.ITEM], validUntil: '2020-01-01' },
      { items: [build.ITEM], currency: 'ZZZ' },
      { items: [build.ITEM], deposit: { type: 'amount', value: 5000 } },
      { items: [] },
    ];

    for (const body of wrong) {
      const shown = await preview({ clientId, ...body }, owner);
      const created = await app.post('/api/quotes', { clientId, ...body }, owner);
      assert.equal(shown.status, 400);
      assert.deepEqual({ ...shown.body, requestId: '' }, { ...created.body, requestId: '' });
    }
  });

  it('answers 403 on FREE for another currency and for a revision', async () => {
    const free = await build.business({ plan: 'FREE' });
    const { id } = await build.quote(free.owner);

    const currency = await preview({ items: [build.ITEM], currency: 'USD' }, free.owner);
    const revision = await preview({ items: [build.ITEM] }, free.owner, `?quoteId=${id}`);

    assert.deepEqual([currency.status, currency.body.code], [403, 'plan_required']);
    assert.deepEqual([revision.status, revision.body.code], [403, 'plan_required']);
  });

  it('with quoteId answers the amounts of a revision: frozen taxes, and what the quote has for absent members', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner, { ...RICH, notes: 'Hola' });
    await app.deps.withTenant(business.tenantId, (trx) =>
      Tenant.query(trx).findById(business.tenantId).patch({ taxRate: '0.08' }),
    );
    const items = [{ productName: 'Mesa', unitPrice: 1000, quantity: 1 }];

    const shown = await preview({ items, shippingCost: 10 }, business.owner, `?quoteId=${quote.id}`);
    const revised = await app.post(
      `/api/quotes/${quote.id}/revise`,
      { clientId: quote.client.id, items, shippingCost: 10 },
      business.owner,
    );

    assert.equal(shown.status, 200);
    const { total, tax, notes, discountPct } = shown.body;
    assert.deepEqual(
      [Number(total), Number(tax), notes, Number(discountPct)],
      [revised.body.total, revised.body.tax, 'Hola', 5],
    );
  });

  it('with quoteId answers 404 for a quote of another business and 400 for a final one', async () => {
    const business = await build.business();
    const other = await build.business();
    const foreign = await build.quote(other.owner);
    const won = await build.quote(business.owner);
    await build.patchQuote(business, won.id, { status: 'WON' });

    const hidden = await preview({ items: [build.ITEM] }, business.owner, `?quoteId=${foreign.id}`);
    const final = await preview({ items: [build.ITEM] }, business.owner, `?quoteId=${won.id}`);

    assert.deepEqual([hidden.status, hidden.body.error], [404, 'Cotización no encontrada']);
    assert.deepEqual([final.status, final.body.reason], [400, 'quote_is_final']);
  });
});
