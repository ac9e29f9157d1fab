import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Service, service } from './service.ts';
import { eventsOf, rowCounts, storedQuote } from './stored.ts';

// Refusals before Temporal is called; no worker runs here. tests/journey tests complete shares.
describe('Refusals of POST /api/quotes/:id/share', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const share = (id: string, as: build.Business['owner']) => app.post(`/api/quotes/${id}/share`, undefined, as);

  it('answers 400 «El cliente no tiene correo electrónico» and keeps GENERATED', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner, { email: null });
    const { id } = await build.quote(business.owner, { clientId });
    const before = await rowCounts(business);

    const res = await share(id, business.owner);

    assert.equal(res.status, 400);
    assert.deepEqual([res.body.error, res.body.code], ['El cliente no tiene correo electrónico', 'invalid']);
    assert.equal((await storedQuote(business, id)).status, 'GENERATED');
    assert.deepEqual(await rowCounts(business), before);
  });

  it('answers 400 «La cotización está vencida» to an expired quote', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    await build.patchQuote(business, id, { expiresAt: new Date(Date.now() - 1_000) });

    const res = await share(id, business.owner);

    assert.equal(res.status, 400);
    assert.equal(res.body.error, 'La cotización está vencida');
    assert.deepEqual(
      (await eventsOf(business, id)).map(({ type }) => type),
      ['quote.created'],
    );
  });
});
