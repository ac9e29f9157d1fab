import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';
import { rowCounts, storedQuote } from './stored.ts';

describe('Unknown members of POST /api/quotes', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('are ignored: tenantId, id, status, quoteNumber, version, total, userId, publicToken, role', async () => {
    const business = await build.business();
    const other = await build.business();
    const { id: clientId } = await build.client(business.owner);
    const forged = {
      tenantId: other.tenantId,
      id: newId(),
      status: 'WON',
      quoteNumber: 999,
      version: 7,
      subtotal: 1,
      tax: 0,
      total: 1,
      taxRate: 0,
      userId: other.userId,
      publicToken: 'mine',
      viewCount: 5,
      role: 'OWNER',
      createdAt: '2001-01-01T00:00:00.000Z',
    };

    const res = await app.post('/api/quotes', { clientId, items: [build.ITEM], ...forged }, business.owner);

    assert.equal(res.status, 201);
    assert.notEqual(res.body.id, forged.id);
    const { tenantId, status, quoteNumber, version, total, taxRate, userId, viewCount } = await storedQuote(
      business,
      res.body.id,
    );
    assert.deepEqual(
      { tenantId, status, quoteNumber, version, total, taxRate, userId, viewCount },
      {
        tenantId: business.tenantId,
        status: 'GENERATED',
        quoteNumber: 1,
        version: 1,
        total: '232.000',
        taxRate: '0.1600',
        userId: business.userId,
        viewCount: 0,
      },
    );
    assert.equal((await rowCounts(other))['quotes'], 0);
  });

  it('are ignored in lines: subtotal, tenantId, quoteId, position', async () => {
    const business = await build.business();
    const other = await build.business();
    const foreign = await build.quote(other.owner);
    const line = { ...build.ITEM, subtotal: 1, tenantId: other.tenantId, quoteId: foreign.id, position: 9 };

    const { id } = await build.quote(business.owner, { items: [line] });

    const res = await app.get(`/api/quotes/${id}`, business.owner);
    assert.equal(res.body.items[0].subtotal, '200.00');
    assert.equal((await rowCounts(other))['quoteItems'], 1);
  });

  it('may have names of the object prototype', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner);
    const body = JSON.stringify({ clientId, items: [build.ITEM], constructor: { x: 1 }, toString: 1 });

    const res = await app.post('/api/quotes', body, business.owner);

    assert.equal(res.status, 201);
  });

  it('__proto__ answers 400 «JSON inválido»', async () => {
    const business = await build.business();

    const res = await app.post('/api/quotes', '{"__proto__": {"plan": "PRO"}}', business.owner);

    assert.deepEqual([res.status, res.body.error], [400, 'JSON inválido']);
  });
});
