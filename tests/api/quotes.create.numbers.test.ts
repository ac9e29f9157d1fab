import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { brokenFor } from './broken-business.ts';
import * as build from './build.ts';
import { overConnections, rawRequest } from './raw-http.ts';
import { ownService, type Service, service } from './service.ts';
import { rowCounts } from './stored.ts';

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

describe('Quote numbers', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('50 concurrent creates of a business get 50 consecutive numbers', async () => {
    const { owner } = await build.business();
    const { id: clientId } = await build.client(owner);

    const quotes = await Promise.all(upTo(50).map(() => build.quote(owner, { clientId })));

    assert.deepEqual(sorted(quotes.map(({ quoteNumber }) => quoteNumber)), upTo(50));
  });

  it('200 creates of a business over 16 connections get exactly 1…200', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner);
    const headers = { 'Content-Type': 'application/json', ...business.owner };
    const body = JSON.stringify({ clientId, items: [build.ITEM] });

    const responses = await overConnections({ connections: 16, times: 200 }, (agent) =>
      rawRequest(`${app.url}/api/quotes`, { method: 'POST', headers, body, agent }),
    );

    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201]));
    assert.deepEqual(sorted(responses.map((response) => response.body.quoteNumber)), upTo(200));
    const { quotes, lastNumber, outboxEvents } = await rowCounts(business);
    // One event per quote, and client.created.
    assert.deepEqual({ quotes, lastNumber, outboxEvents }, { quotes: 200, lastNumber: 200, outboxEvents: 201 });
  });

  it('refused creates consume no number', async () => {
    const { owner } = await build.business();
    const { id: clientId } = await build.client(owner);
    const first = await build.quote(owner, { clientId });

    const empty = await app.post('/api/quotes', { clientId, items: [] }, owner);
    const unknown = await app.post('/api/quotes', { clientId: newId(), items: [build.ITEM] }, owner);
    const next = await build.quote(owner, { clientId });

    assert.deepEqual([empty.status, unknown.status], [400, 404]);
    assert.equal(next.quoteNumber, first.quoteNumber + 1);
  });

  it('concurrent refused creates leave no gaps', async () => {
    const { owner } = await build.business();
    const { id: clientId } = await build.client(owner);
    const foreignProduct = { ...build.ITEM, productId: newId() };

    const responses = await Promise.all(
      upTo(40).map((i) =>
        app.post('/api/quotes', { clientId, items: [i % 2 === 0 ? build.ITEM : foreignProduct] }, owner),
      ),
    );

    const created = responses.filter(({ status }) => status === 201);
    assert.deepEqual(sorted(created.map(({ body }) => body.quoteNumber)), upTo(20));
  });

  it('a create whose last statement fails rolls back its number and rows', async () => {
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

  it('start at 1 in each business', async () => {
    const one = await build.business();
    const two = await build.business();

    const quotes = [await build.quote(one.owner), await build.quote(two.owner), await build.quote(one.owner)];

    assert.deepEqual(
      quotes.map(({ quoteNumber }) => quoteNumber),
      [1, 1, 2],
    );
  });
});
