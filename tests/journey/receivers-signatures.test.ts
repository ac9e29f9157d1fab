import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { type Call, type Receiver, receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { type Business, register } from './business.ts';
import { type Installation, installation } from './installation.ts';

// Sent by the worker, received by an endpoint. Verified by a few lines written from the published rule alone, and by
// the official library.

describe('webhook call as received', () => {
  let service: Installation;
  let business: Business;
  let endpoint: Receiver;
  let webhookId: string;
  let secret: string;

  before(async () => {
    service = await installation();
    business = await register(service);
    endpoint = await receiver();
    const events = ['client.created', 'product.created', 'quote.created'];
    const res = await service.http.post('/api/webhooks', { url: endpoint.url, events }, business.owner);
    assert.equal(res.status, 201);
    ({ id: webhookId, secret } = res.body);
  });
  after(() => endpoint[Symbol.asyncDispose]());

  /** The call caused by the request, independent of the order of arrival. */
  async function received(make: () => Promise<unknown>, event = 'product.created'): Promise<Call> {
    const before = endpoint.calls.length;
    await make();
    return eventually(() => {
      const call = endpoint.calls.slice(before).find(({ headers }) => headers['x-service-event'] === event);
      assert.ok(call, 'nothing came');
      return call;
    });
  }
  const post = async (path: string, body?: object) => {
    const res = await service.http.post(path, body, business.owner);
    assert.ok([200, 201, 202].includes(res.status), JSON.stringify(res.body));
    return res.body;
  };
  const newProduct = () => post('/api/products', { name: 'Mesa', unitPrice: 1 });

  const verifies = (key: string, { body, headers }: Call): boolean => {
    try {
      // Node returns one value for each of these, so they came once.
      new Webhook(key).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  const hex = (key: string, { body }: Call) => createHmac('sha256', key).update(body, 'utf8').digest('hex');
  const base64 = (key: string, { headers, body }: Call) => {
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    return createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'))
      .update(signed, 'utf8')
      .digest('base64');
  };

  for (const [event, make] of [
    [
      'client.created',
      () =>
        post('/api/clients', { contactName: 'Ñandú «Ω» 中文 🦤 é', companyName: '家具 & Söhne', notes: '"\\\n\u2028' }),
    ],
    ['product.created', () => post('/api/products', { name: 'Silla 🪑', unitPrice: 0.125 })],
    [
      'quote.created',
      async () => {
        const { id: clientId } = await post('/api/clients', { contactName: 'Laura 🦊 Núñez' });
        const items = [{ productName: '椅子', quantity: 11, unitPrice: 286.77, discountPct: 50 }];
        return post('/api/quotes', { clientId, items, shippingCost: 99.9 });
      },
    ],
  ] as const) {
    it(`${event} has a signature that the rule and the official library accept, beyond ASCII too`, async () => {
      await make();
      const call = await eventually(() => {
        const found = endpoint.calls.findLast(({ headers }) => headers['x-service-event'] === event);
        assert.ok(found, 'nothing came');
        return found;
      });

      assert.equal(call.headers['x-service-signature'], hex(secret, call));
      assert.equal(call.headers['webhook-signature'], `v1,${base64(secret, call)}`);
      assert.ok(verifies(secret, call), 'the official library');
      assert.deepEqual(Object.keys(JSON.parse(call.body)), ['event', 'timestamp', 'data']);
      assert.equal(JSON.parse(call.body).event, event);
    });
  }

  it('contains amounts as JSON numbers, to the cent', () => {
    const call = endpoint.calls.find(({ headers }) => headers['x-service-event'] === 'quote.created');

    const { quote } = JSON.parse(call?.body ?? '').data;

    assert.deepEqual([quote.subtotal, quote.total, quote.items[0].unitPrice], [1577.24, 1929.5, 286.77]);
    assert.match(call?.body ?? '', /"total":1929\.5,/);
  });

  it('verification rejects one changed byte, another secret, another id, and a timestamp six minutes old', async () => {
    const call = await received(newProduct);
    const changed = (headers: Record<string, string>, body = call.body) => ({
      ...call,
      body,
      headers: { ...call.headers, ...headers },
    });
    const old = String(Math.floor(Date.now() / 1000) - 360);

    assert.ok(verifies(secret, call), 'as it came');
    assert.equal(verifies(secret, changed({}, call.body.replace('Mesa', 'Nesa'))), false);
    assert.notEqual(hex(secret, changed({}, `${call.body} `)), call.headers['x-service-signature']);
    assert.equal(verifies(`whsec_${Buffer.alloc(32, 1).toString('base64')}`, call), false);
    assert.equal(verifies(secret, changed({ 'webhook-id': 'otro' })), false);
    const signedThen = changed({ 'webhook-timestamp': old });
    const late = changed({ 'webhook-timestamp': old, 'webhook-signature': `v1,${base64(secret, signedThen)}` });
    assert.equal(verifies(secret, late), false);
  });

  it('is repeated with the same bytes and webhook-id, and a new signature', async () => {
    const first = await received(newProduct);
    const list = `/api/webhooks/${webhookId}/deliveries`;
    const { data } = (await service.http.get(list, business.owner)).body;
    const sent = data.find(({ id }: { id: string }) => id === first.headers['x-service-delivery']);

    const again = await received(() => post(`${list}/${sent.id}/replay`));

    assert.equal(again.body, first.body);
    assert.equal(again.headers['webhook-id'], first.headers['webhook-id']);
    assert.notEqual(again.headers['x-service-delivery'], first.headers['x-service-delivery']);
    assert.ok(Number(again.headers['webhook-timestamp']) >= Number(first.headers['webhook-timestamp']), 'its own time');
    assert.ok(verifies(secret, again), 'the official library');
  });

  it('both secrets sign for a day after a rotation, then only the new one', async () => {
    const rotated = await post(`/api/webhooks/${webhookId}/rotate-secret`);
    const overlap = await received(newProduct);
    await service.rows(
      "update webhooks set previous_valid_until = now() - interval '1 second' where id = $1",
      webhookId,
    );
    const later = await received(newProduct);

    const hours = (Date.parse(rotated.previousValidUntil) - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours <= 24, `${hours} hours`);
    assert.deepEqual([verifies(rotated.secret, overlap), verifies(secret, overlap)], [true, true]);
    assert.equal(
      overlap.headers['webhook-signature'],
      `v1,${base64(rotated.secret, overlap)} v1,${base64(secret, overlap)}`,
    );
    assert.deepEqual([verifies(rotated.secret, later), verifies(secret, later)], [true, false]);
    assert.deepEqual(
      [overlap, later].map(({ headers }) => headers['x-service-signature']),
      [overlap, later].map((call) => hex(rotated.secret, call)),
    );
    secret = rotated.secret;
  });

  it('cannot contain half of a surrogate pair, which would change when sent: the request is answered 400', async () => {
    const res = await service.http.post('/api/clients', { contactName: 'Ana \ud83e' }, business.owner);

    assert.deepEqual([res.status, res.body.details[0].path], [400, 'contactName']);
  });

  it('is signed for test deliveries too', async () => {
    const call = await received(() => post(`/api/webhooks/${webhookId}/test`), 'webhook.test');

    assert.equal(call.headers['x-service-event'], 'webhook.test');
    assert.equal(call.headers['x-service-signature'], hex(secret, call));
    assert.ok(verifies(secret, call), 'the official library');
  });
});
