import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

describe('POST /api/quotes', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 201 with number 1, GENERATED, numbers for money and a public token', async () => {
    const { owner } = await build.business();
    const client = await build.client(owner);

    const res = await app.post('/api/quotes', { clientId: client.id, items: [build.ITEM], shippingCost: 50 }, owner);

    assert.equal(res.status, 201);
    const { quoteNumber, status, subtotal, tax, shippingCost, total } = res.body;
    assert.deepEqual(
      { quoteNumber, status, subtotal, tax, shippingCost, total },
      { quoteNumber: 1, status: 'GENERATED', subtotal: 200, tax: 32, shippingCost: 50, total: 282 },
    );
    assert.match(res.body.publicToken, /^[\w-]{43}$/);
  });
});
