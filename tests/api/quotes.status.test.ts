import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { QUOTE_STATUSES, type QuoteStatus } from '../../domain/quote-status.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';
import { auditOf, eventsOf, rowCounts, storedQuote } from './stored.ts';

// An independent copy of the allowed transitions; all others must be refused.
const LEGAL: readonly string[] = ['GENERATED→SENT', 'SENT→WON', 'SENT→LOST'];

describe('PATCH /api/quotes/:id/status', () => {
  let app: Service;
  let business: build.Business;
  let clientId: string;
  before(async () => {
    app = await service();
    business = await build.business();
    clientId = (await build.client(business.owner)).id;
  });

  async function quoteThatIs(status: QuoteStatus): Promise<{ id: string; quoteNumber: number }> {
    const quote = await build.quote(business.owner, { clientId });
    await build.patchQuote(business, quote.id, { status });
    return quote;
  }
  const move = (id: string, status: unknown, as = business.owner) =>
    app.patch(`/api/quotes/${id}/status`, { status }, as);

  const pairs = QUOTE_STATUSES.flatMap((from) => QUOTE_STATUSES.map((to) => ({ from, to, name: `${from}→${to}` })));

  for (const { from, to } of pairs.filter(({ name }) => LEGAL.includes(name))) {
    it(`answers 200 with the quote to a change from ${from} to ${to}`, async () => {
      const { id } = await quoteThatIs(from);

      const res = await move(id, to);

      assert.equal(res.status, 200);
      assert.deepEqual([res.body.id, res.body.status], [id, to]);
      assert.equal((await storedQuote(business, id)).status, to);
    });
  }

  for (const { from, to } of pairs.filter(({ name }) => !LEGAL.includes(name))) {
    it(`answers 400 «No se puede cambiar de ${from} a ${to}» and changes nothing`, async () => {
      const { id } = await quoteThatIs(from);
      const before = await rowCounts(business);

      const res = await move(id, to);

      assert.equal(res.status, 400);
      assert.deepEqual(
        [res.body.error, res.body.code],
        [`No se puede cambiar de ${from} a ${to}`, 'invalid_transition'],
      );
      assert.equal((await storedQuote(business, id)).status, from);
      assert.deepEqual(await rowCounts(business), before);
    });
  }

  it('answers the quote like GET, with money as strings', async () => {
    const { id } = await quoteThatIs('GENERATED');

    const res = await move(id, 'SENT');

    const read = await app.get(`/api/quotes/${id}`, business.owner);
    assert.deepEqual(res.body, read.body);
    assert.equal(res.body.total, '232.00');
  });

  it('writes one audit entry «status_change» with from and to', async () => {
    const { id, quoteNumber } = await quoteThatIs('SENT');

    const res = await move(id, 'WON');

    const entries = (await auditOf(business, id)).filter(({ action }) => action === 'status_change');
    const requestId = res.headers.get('X-Request-Id');
    const metadata = { quoteNumber, from: 'SENT', to: 'WON' };
    assert.deepEqual(entries, [
      { action: 'status_change', actor: 'user', userId: business.userId, entity: 'quote', requestId, metadata },
    ]);
  });

  it('writes one event quote.status_changed with the changed quote and previousStatus', async () => {
    const { id, quoteNumber } = await quoteThatIs('SENT');

    await move(id, 'LOST');

    const [event, ...more] = (await eventsOf(business, id)).filter(({ type }) => type === 'quote.status_changed');
    assert.deepEqual(more, []);
    assert.deepEqual(Object.keys(event?.body ?? {}), ['event', 'timestamp', 'data']);
    const { quote, previousStatus } = event?.body.data ?? {};
    assert.deepEqual(
      [quote?.['id'], quote?.['quoteNumber'], quote?.['status'], previousStatus],
      [id, quoteNumber, 'LOST', 'SENT'],
    );
    assert.equal(quote?.['total'], 232);
  });

  for (const to of ['WON', 'LOST'] as const) {
    it(`a change to ${to} is no answer of the client: no such event, no answer and no mail about one`, async () => {
      const { id } = await quoteThatIs('SENT');

      const { body } = await move(id, to);

      assert.equal(body.answer, null);
      const types = (await eventsOf(business, id)).map(({ type }) => type);
      assert.deepEqual(
        types.filter((type) => type !== 'quote.created'),
        ['quote.status_changed'],
      );
    });
  }

  it('one of ten concurrent changes succeeds, the others get 400, and one event is written', async () => {
    const { id } = await quoteThatIs('SENT');

    const responses = await Promise.all(Array.from({ length: 10 }, (_, i) => move(id, i % 2 === 0 ? 'WON' : 'LOST')));

    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
    assert.equal(responses.filter(({ status }) => status === 400).length, 9);
    const changes = (await eventsOf(business, id)).filter(({ type }) => type === 'quote.status_changed');
    assert.equal(changes.length, 1);
  });

  it('an expired quote can become WON', async () => {
    const { id } = await quoteThatIs('SENT');
    await build.patchQuote(business, id, { expiresAt: new Date(Date.now() - 1_000) });

    const res = await move(id, 'WON');

    assert.equal(res.status, 200);
  });

  it('an invalid status answers 400 with the six statuses, before 404', async () => {
    const res = await move(newId(), 'sent');

    assert.equal(res.status, 400);
    assert.equal(res.body.error, 'status: debe ser uno de: GENERATED, SENT, WON, LOST, ACCEPTED, REJECTED');
  });

  it('answers 400 «status: es obligatorio» to an empty body', async () => {
    const { id } = await quoteThatIs('GENERATED');

    const res = await app.patch(`/api/quotes/${id}/status`, {}, business.owner);

    assert.deepEqual([res.status, res.body.error], [400, 'status: es obligatorio']);
  });
});
