import assert from 'node:assert/strict';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { needs, testWorker } from '../stack.ts';

needs('temporal', 'storage', 'inbox');

/** A journey, since the worker process brings a dispatcher of its own, and the tests of the dispatcher want none. */
describe('A webhook', () => {
  it('hears of a PATCH status through dispatcher and worker, and again when its delivery is repeated', async () => {
    const app = await service();
    const business = await build.business();
    await testWorker();
    await using endpoint = await receiver();
    const res = await app.post(
      '/api/webhooks',
      { url: endpoint.url, events: ['quote.status_changed'] },
      business.owner,
    );
    const quote = await build.quote(business.owner);
    await app.patch(`/api/quotes/${quote.id}/status`, { status: 'SENT' }, business.owner);

    await eventually(() => assert.equal(endpoint.calls.length, 1));
    const list = `/api/webhooks/${res.body.id}/deliveries`;
    const [sent] = await eventually(async () => {
      const { data } = (await app.get(list, business.owner)).body;
      assert.equal(data[0].status, 'DELIVERED');
      return data;
    });
    assert.deepEqual(JSON.parse(endpoint.calls[0]?.body ?? ''), sent.payload);
    assert.equal((await app.post(`${list}/${sent.id}/replay`, undefined, business.owner)).status, 202);

    await eventually(() => assert.equal(endpoint.calls.length, 2));
    const [first, second] = endpoint.calls;
    assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id']);
    assert.equal(second?.body, first?.body);
    assert.notEqual(second?.headers['x-service-delivery'], first?.headers['x-service-delivery']);
  });
});
