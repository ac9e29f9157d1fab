import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';

/**
 * A list without filters uses other statements than a filtered one. With a filter that matches all quotes, both must
 * give the same response.
 */
describe('GET /api/quotes without filters and with a filter that matches all quotes', () => {
  const MANY = 230;
  const EVERY = 'from=2020-01-01';
  let app: Service;
  let business: build.Business;
  let carlos: { as: Credential; userId: string };

  before(async () => {
    app = await service();
    business = await build.business();
    carlos = await build.member(business);
    const { id: clientId } = await build.client(business.owner);
    const first = await build.quote(business.owner, { clientId, items: [build.ITEM, build.ITEM], shippingCost: 1.5 });
    const label = await app.post('/api/labels', { name: 'Urgente', color: '#ff0000' }, business.owner);
    await app.post(`/api/quotes/${first.id}/labels/${label.body.id}`, {}, business.owner);
    await copyQuote(business, first.id, { times: MANY - 1, userIds: [business.userId, carlos.userId] });
  });

  async function bothForms(as: Credential, query: string): Promise<void> {
    const plain = await app.get(`/api/quotes?${query}`, as);
    const filtered = await app.get(`/api/quotes?${query}&${EVERY}`, as);

    assert.equal(plain.status, 200);
    assert.ok(plain.body.data.length > 0);
    // A cursor is bound to the filters, so the two differ.
    assert.deepEqual(
      { ...plain.body, nextCursor: !plain.body.nextCursor },
      { ...filtered.body, nextCursor: !filtered.body.nextCursor },
    );
  }

  it('have the same first page', () => bothForms(business.owner, ''));
  it('have the same first page in ascending order, with labels and lines', () =>
    bothForms(business.owner, 'sort=quoteNumber'));
  it('have the same late page', () => bothForms(business.owner, 'page=23&limit=10'));
  it('have the same late page in ascending order', () =>
    bothForms(business.owner, 'page=23&limit=10&sort=quoteNumber'));
  it('have the same first page for a collaborator', () => bothForms(carlos.as, ''));
  it('have the same last page for a collaborator', () => bothForms(carlos.as, 'page=6&sort=quoteNumber'));

  it('have the same total on a page past the end', async () => {
    const plain = await app.get('/api/quotes?page=99', business.owner);
    const own = await app.get('/api/quotes?page=99', carlos.as);

    assert.deepEqual([plain.body.total, plain.body.data], [MANY, []]);
    assert.deepEqual([own.body.total, own.body.data], [Math.floor(MANY / 2), []]);
  });
});

/** Copies the quote under the next numbers, alternating between users. */
async function copyQuote(
  { tenantId }: build.Business,
  quoteId: string,
  { times, userIds }: { times: number; userIds: readonly string[] },
): Promise<void> {
  const { deps } = await service();
  await deps.withTenant(tenantId, async (trx) => {
    const original = await trx('quotes').where({ tenantId, id: quoteId }).first<Record<string, unknown>>();
    const copies = Array.from({ length: times }, (_, n) => {
      const id = newId();
      const userId = userIds[(n + 1) % userIds.length] ?? '';
      return { ...original, id, userId, quoteNumber: n + 2, displayNumber: `COT-${n + 2}`, publicTokenHash: id };
    });
    await trx.batchInsert('quotes', copies, 200);
    await trx('quoteCounters')
      .where({ tenantId })
      .update({ lastNumber: times + 1 });
  });
}
