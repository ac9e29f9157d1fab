import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

describe('GET /api/quotes/:id', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const read = (id: string, as: build.Business['owner']) => app.get(`/api/quotes/${id}`, as);

  it('answers 200 with the lines, the client, the creator and strings for money', async () => {
    const business = await build.business();
    const { id: productId } = await build.product(business);
    const items = [{ productName: 'Silla', model: 'S-1', unitPrice: 100, quantity: 2, discountPct: 10, productId }];
    const created = await build.quote(business.owner, { items });

    const res = await read(created.id, business.owner);

    assert.equal(res.status, 200);
    const { subtotal, tax, shippingCost, total, taxRate } = res.body;
    assert.deepEqual([subtotal, tax, shippingCost, total, taxRate], ['180.00', '28.80', '0.00', '208.80', '0.16']);
    const [{ id: _, ...line }] = res.body.items;
    assert.deepEqual(line, {
      productId,
      productName: 'Silla',
      model: 'S-1',
      unitPrice: '100.00',
      quantity: 2,
      discountPct: '10.00',
      subtotal: '180.00',
      product: { id: productId, name: 'Escritorio', modelSku: 'ES-1' },
      ...build.ADDED_TO_ITEM,
    });
    assert.deepEqual(res.body.client, created.client);
    assert.deepEqual(res.body.user, { name: 'Diana', email: business.email });
  });

  it('does not show the public token', async () => {
    const { owner } = await build.business();
    const { id, publicToken } = await build.quote(owner);

    const res = await read(id, owner);

    assert.ok(!res.bytes.includes(publicToken));
    assert.ok(!('publicToken' in res.body));
  });

  it('answers 404 «Cotización no encontrada» to malformed ids', async () => {
    const { owner } = await build.business();

    const responses = await Promise.all(['1', 'x', '%20', "'--", '%E0%A4%A', '..%2f..'].map((id) => read(id, owner)));

    assert.deepEqual(
      responses.map(({ status }) => status),
      [404, 404, 404, 404, 404, 404],
    );
  });

  it('answers 400 to U+0000 in the id', async () => {
    const { owner } = await build.business();

    const res = await read('c%00', owner);

    assert.deepEqual([res.status, res.body.error], [400, 'id: contiene caracteres no permitidos']);
  });
});
