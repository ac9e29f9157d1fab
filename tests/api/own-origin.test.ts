import assert from 'node:assert/strict';
import { Webhook } from '../../db/models/webhook.ts';
import * as build from './build.ts';
import { service } from './service.ts';

describe('The service’s own origin as a webhook target', () => {
  const EVENTS = { events: ['quote.created'] };
  const automation = (url: string) => ({
    name: 'Bucle',
    trigger: 'QUOTE_CREATED',
    actions: [{ type: 'fire_webhook', url }],
  });

  it('answers 400 when it is saved: webhook, connector hook, fire_webhook', async () => {
    const app = await service();
    const { owner } = await build.business();
    const own = `${app.deps.config.PUBLIC_URL}/api/quotes/x/duplicate`;
    const other = 'https://example.com/';
    const webhook = await app.post('/api/webhooks', { url: other, ...EVENTS }, owner);
    const saved = await app.post('/api/automations', automation(other), owner);

    const responses = [
      await app.post('/api/webhooks', { url: own, ...EVENTS }, owner),
      await app.request('PUT', `/api/webhooks/${webhook.body.id}`, { headers: owner, body: { url: own } }),
      await app.post('/api/connector/hooks', { targetUrl: own, event: 'quote.created' }, owner),
      await app.post('/api/automations', automation(own), owner),
      await app.patch(`/api/automations/${saved.body.id}`, { actions: automation(own).actions }, owner),
    ];

    const OWN = 'no puede apuntar a este mismo servicio';
    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.error]),
      ['url', 'url', 'targetUrl', 'actions.0.url', 'actions.0.url'].map((path) => [400, `${path}: ${OWN}`]),
    );
  });

  it('is not called for a webhook that was saved before', async () => {
    const app = await service();
    const { owner, tenantId } = await build.business();
    const { body } = await app.post('/api/webhooks', { url: 'https://example.com/', ...EVENTS }, owner);
    const url = `${app.deps.config.PUBLIC_URL}/api/quotes`;
    await app.deps.withTenant(tenantId, (trx) => Webhook.query(trx).findOne({ tenantId, id: body.id }).patch({ url }));

    const res = await app.post(`/api/webhooks/${body.id}/test`, undefined, owner);

    assert.equal(res.status, 502);
    const { data } = (await app.get(`/api/webhooks/${body.id}/deliveries`, owner)).body;
    assert.equal(data[0].errorCode, 'blocked_address');
  });
});
