import assert from 'node:assert/strict';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';
import { auditOf, eventsOf, storedQuote } from './stored.ts';

needs('storage');

describe('POST /api/portal/:token/reject', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 {status, version} and stores the reason in the quote and the audit entry of the portal', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);

    const res = await app.post(`${portal}/reject`, { reason: ' Muy caro ' });

    assert.deepEqual([res.status, res.body], [200, { status: 'REJECTED', version: 1 }]);
    const { status, rejectionReason, answeredAt } = await storedQuote(business, id);
    assert.deepEqual([status, rejectionReason], ['REJECTED', 'Muy caro']);
    assert.ok(answeredAt);
    const moves = (await auditOf(business, id)).filter(({ action }) => action === 'status_change');
    assert.deepEqual(
      moves.map(({ actor, metadata }) => [actor, metadata]),
      [['portal', { quoteNumber: 1, from: 'SENT', to: 'REJECTED', version: 1, reason: 'Muy caro' }]],
    );
    const [, changed, rejected, ...more] = await eventsOf(business, id);
    const at = answeredAt.toISOString();
    const answer = { outcome: 'REJECTED', at, version: 1, signerName: null, signerEmail: null };
    assert.deepEqual(
      [rejected?.type, rejected?.body.data.quote?.['answer']],
      ['quote.rejected', { ...answer, reason: 'Muy caro' }],
    );
    assert.deepEqual((await app.get(`/api/quotes/${id}`, business.owner)).body.answer, {
      ...answer,
      reason: 'Muy caro',
    });
    assert.deepEqual((await app.get('/api/quotes', business.owner)).body.data[0].answer, answer);
    assert.deepEqual((await app.get('/api/quotes?status=REJECTED', business.owner)).body.data[0].answer, answer);
    assert.deepEqual(
      [changed?.type, changed?.body.data.quote?.['status'], more],
      ['quote.status_changed', 'REJECTED', []],
    );
  });

  it('requires neither a reason nor a body', async () => {
    const { portal } = await build.sentQuote(await build.business());

    assert.equal((await app.post(`${portal}/reject`)).status, 200);
  });

  it('a repeated rejection answers 200 and keeps the first reason', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await app.post(`${portal}/reject`, { reason: 'Muy caro' });

    const again = await app.post(`${portal}/reject`, { reason: 'Otra cosa' });

    assert.deepEqual([again.status, (await storedQuote(business, id)).rejectionReason], [200, 'Muy caro']);
    assert.equal((await eventsOf(business, id)).length, 3);
  });

  it('answers 410 «La cotización venció» after expiry', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await build.patchQuote(business, id, { expiresAt: new Date(Date.now() - 1_000) });

    const res = await app.post(`${portal}/reject`, {});

    assert.deepEqual([res.status, res.body.error], [410, 'La cotización venció']);
    assert.equal((await storedQuote(business, id)).status, 'SENT');
  });

  it('answers 400 for a reason of more than 1000 characters', async () => {
    const { portal } = await build.sentQuote(await build.business());

    const res = await app.post(`${portal}/reject`, { reason: 'x'.repeat(1001) });

    assert.equal(res.status, 400);
    assert.match(res.body.error, /^reason/);
  });
});
