import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Service, service } from './service.ts';
import { auditOf, storedQuote } from './stored.ts';

describe('GET /api/quotes/:id/link', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 {publicToken, url} with the token of the create response', async () => {
    const { owner } = await build.business();
    const { id, publicToken } = await build.quote(owner);

    const res = await app.get(`/api/quotes/${id}/link`, owner);

    const url = `${app.deps.config.PUBLIC_URL}/p/${publicToken}`;
    assert.deepEqual([res.status, res.body], [200, { publicToken, url }]);
  });
});

describe('POST /api/quotes/:id/link/rotate', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 with a new link and invalidates the old one', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner);
    const before = await storedQuote(business, quote.id);

    const res = await app.post(`/api/quotes/${quote.id}/link/rotate`, undefined, business.owner);

    assert.equal(res.status, 200);
    assert.match(res.body.publicToken, /^[\w-]{43}$/);
    assert.notEqual(res.body.publicToken, quote.publicToken);
    assert.notEqual((await storedQuote(business, quote.id)).publicTokenHash, before.publicTokenHash);
    assert.deepEqual((await app.get(`/api/quotes/${quote.id}/link`, business.owner)).body, res.body);
  });

  it('writes one audit entry «rotate» without either token', async () => {
    const business = await build.business();
    const { id, publicToken } = await build.quote(business.owner);

    const { body } = await app.post(`/api/quotes/${id}/link/rotate`, undefined, business.owner);

    const [, entry, ...others] = await auditOf(business, id);
    assert.deepEqual([entry?.action, others.length], ['rotate', 0]);
    assert.ok(!JSON.stringify(entry).includes(publicToken));
    assert.ok(!JSON.stringify(entry).includes(body.publicToken));
  });
});
