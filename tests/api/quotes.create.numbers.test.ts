import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { brokenFor } from './broken-business.ts';
import * as build from './build.ts';
import { overConnections, rawRequest } from './raw-http.ts';
import { ownService, type Service, service } from './service.ts';
import { rowCounts } from './stored.ts';

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

describe('quote numbers', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('are 50 consecutive ones for 50 parallel creates of one business (D01)', async () => {
    const { owner } = await build.business();
    const { id: clientId } = await build.client(owner);

    const quotes = await Promise.all(upTo(50).map(() => build.quote(owner, { clientId })));

    assert.deepEqual(sorted(quotes.map(({ quoteNumber }) => quoteNumber)), upTo(50));
  });

  it('are exactly 1…200 for 200 creates from 16 connections on one business', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner);
    const headers = { 'Content-Type': 'application/json', ...business.owner };
    const body = JSON.stringify({ clientId, items: [build.ITEM] });

    const answers = await overConnections({ connections: 16, times: 200 }, (agent) =>
      rawRequest(`${app.url}/api/quotes`, { method: 'POST', headers, body, agent }),
    );

    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.deepEqual(sorted(answers.map((answer) => answer.body.quoteNumber)), upTo(200));
    const { quotes, lastNumber, outboxEvents } = await rowCounts(business);
    // One event for each quote, and client.created.
    assert.deepEqual({ quotes, lastNumber, outboxEvents }, { quotes: 200, lastNumber: 200, outboxEvents: 201 });
  });

  it('are not taken by creates that are refused (D03)', async () => {
    const { owner } = await build.business();
    const { id: clientId } = await build.client(owner);
    const first = await build.quote(owner, { clientId });

    const empty = await app.post('/api/quotes', { clientId, items: [] }, owner);
    const unknown = await app.post('/api/quotes', { clientId: newId(), items: [build.ITEM] }, owner);
    const next = await build.quote(owner, { clientId });

    assert.deepEqual([empty.status, unknown.status], [400, 404]);
    assert.equal(next.quoteNumber, first.quoteNumber + 1);
  });

  it('have no gap when refused creates run in between, in parallel', async () => {
    const { owner } = await build.business();
    const { id: clientId } = await build.client(owner);
    const foreignProduct = { ...build.ITEM, productId: newId() };

    const answers = await Promise.all(
      upTo(40).map((i) =>
        app.post('/api/quotes', { clientId, items: [i % 2 === 0 ? build.ITEM : foreignProduct] }, owner),
      ),
    );

    const created = answers.filter(({ status }) => status === 201);
    assert.deepEqual(sorted(created.map(({ body }) => body.quoteNumber)), upTo(20));
  });

  it('are given back, with every row, when the last statement of a create fails, and the next creates go on', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner);
    const silent = await ownService({ LOG_LEVEL: 'silent' });
    const create = () => silent.post('/api/quotes', { clientId, items: [build.ITEM] }, business.owner);
    const before = await rowCounts(business);

    const broken = await brokenFor(business, 'outbox_events', 'no events today');
    const failed = await Promise.all(upTo(12).map(create));
    const undone = await rowCounts(business);
    await broken.repair();
    const created = await Promise.all(upTo(12).map(create));

    assert.deepEqual(new Set(failed.map(({ status }) => status)), new Set([500]));
    assert.deepEqual(undone, before);
    assert.deepEqual(sorted(created.map(({ body }) => body.quoteNumber)), upTo(12));
  });

  it('begin at 1 in each business', async () => {
    const one = await build.business();
    const two = await build.business();

    const quotes = [await build.quote(one.owner), await build.quote(two.owner), await build.quote(one.owner)];

    assert.deepEqual(
      quotes.map(({ quoteNumber }) => quoteNumber),
      [1, 1, 2],
    );
  });
});
