import assert from 'node:assert/strict';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { receiver } from './receiver.ts';
import { ownService, type Service, service } from './service.ts';
import { storedQuote } from './stored.ts';

needs('storage');

/** Published defects of other services that are not tested with their endpoint. */
describe('Known defects of similar products', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('a signed quote cannot be revised, so a signature never applies to a changed document', async () => {
    const business = await build.business();
    const { id, client, publicToken } = await build.quote(business.owner);
    await build.patchQuote(business, id, { status: 'SENT' });
    const signed = { signerName: 'Laura', signerEmail: client.email, version: 1 };
    const signature = { type: 'typed', data: 'Laura' };
    assert.equal((await app.post(`/api/portal/${publicToken}/accept`, { ...signed, signature })).status, 200);
    const before = await storedQuote(business, id);
    const body = { clientId: client.id, items: [{ ...build.ITEM, unitPrice: 1 }] };

    const res = await app.post(`/api/quotes/${id}/revise`, body, business.owner);

    assert.deepEqual([res.status, res.body.error], [400, 'No se puede cambiar de ACCEPTED a GENERATED']);
    assert.deepEqual(await storedQuote(business, id), before);
    const kept = (await app.get(`/api/quotes/${id}/signature`, business.owner)).body;
    assert.equal(kept.signature.signerName, 'Laura');
  });

  it('a webhook does not follow a redirect to an internal address', async () => {
    await using internal = await receiver();
    await using target = await receiver((res) => res.writeHead(302, { location: internal.url }).end());
    const { owner } = await build.business();
    const webhook = { url: target.url, events: ['quote.created'] };
    const { id } = (await app.post('/api/webhooks', webhook, owner)).body;

    const res = await app.post(`/api/webhooks/${id}/test`, undefined, owner);

    assert.deepEqual([res.status, res.body], [200, { success: false, statusCode: 302 }]);
    assert.deepEqual([target.calls.length, internal.calls.length], [1, 0]);
    const [delivery] = (await app.get(`/api/webhooks/${id}/deliveries`, owner)).body.data;
    assert.deepEqual([delivery.statusCode, delivery.status, delivery.deliveredAt], [302, 'EXHAUSTED', null]);
  });

  describe('internal addresses in other spellings', () => {
    let guarded: Service;
    let business: build.Business;
    before(async () => {
      // As in production: loopback is not allowed.
      guarded = await ownService({ OUTBOUND_ALLOW_CIDRS: '' });
      business = await build.business();
    });

    const PUBLIC_ONLY = 'debe apuntar a una dirección pública';
    const refused: readonly [url: string, message: string][] = [
      ['http://169.254.169.254/', PUBLIC_ONLY],
      ['http://[::1]/', PUBLIC_ONLY],
      ['http://127.0.0.1/', PUBLIC_ONLY],
      ['http://localhost/', PUBLIC_ONLY],
      ['http://0x7f000001/', PUBLIC_ONLY],
      ['http://2130706433/', PUBLIC_ONLY],
      ['http://[::ffff:127.0.0.1]/', PUBLIC_ONLY],
      ['http://user:pass@203.0.113.9/', 'no puede llevar usuario ni contraseña'],
    ];
    for (const [url, message] of refused) {
      it(`answers 400 «url: ${message}» to ${url} in a webhook, in its PUT, in a hook and in fire_webhook`, async () => {
        const { owner } = business;
        const webhook = await guarded.post(
          '/api/webhooks',
          { url: 'http://93.184.215.14/', events: ['quote.sent'] },
          owner,
        );
        const actions = [{ type: 'fire_webhook', url }];
        const automation = { name: 'Avisar', trigger: 'QUOTE_SENT', actions };

        const responses = [
          await guarded.post('/api/webhooks', { url, events: ['quote.sent'] }, owner),
          await guarded.request('PUT', `/api/webhooks/${webhook.body.id}`, { headers: owner, body: { url } }),
          await guarded.post('/api/connector/hooks', { targetUrl: url, event: 'quote.sent' }, owner),
          await guarded.post('/api/automations', automation, owner),
        ];

        assert.equal(webhook.status, 201);
        assert.deepEqual(
          responses.map(({ status, body }) => [status, body.error]),
          ['url', 'url', 'targetUrl', 'actions.0.url'].map((member) => [400, `${member}: ${message}`]),
        );
      });
    }
  });
});
