import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { newId } from '../../db/ids.ts';
import { WebhookAttempt } from '../../db/models/webhook-attempt.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import { inTime } from '../in-time.ts';
import * as build from './build.ts';
import { receiver } from './receiver.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

describe('/api/webhooks/:id', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const hook = async (as: Credential, url: string) => {
    const res = await app.post('/api/webhooks', { url, events: ['quote.created'] }, as);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    return res.body as { id: string; secret: string };
  };
  const test = (id: string, as: Credential) => app.post(`/api/webhooks/${id}/test`, undefined, as);
  const deliveries = async (id: string, as: Credential, page = 1) =>
    (await app.get(`/api/webhooks/${id}/deliveries?page=${page}`, as)).body;
  const attempts = ({ tenantId }: build.Business) =>
    app.deps.withTenant(tenantId, (trx) => WebhookAttempt.query(trx).where({ tenantId }));

  describe('POST …/test', () => {
    it('sends {event: webhook.test, timestamp, data: {message}}, signed, and answers {success: true, statusCode: 200}', async () => {
      await using target = await receiver();
      const { owner } = await build.business();
      const { id, secret } = await hook(owner, target.url);

      const res = await test(id, owner);

      assert.deepEqual([res.status, res.body], [200, { success: true, statusCode: 200 }]);
      assert.equal(target.calls.length, 1);
      const [call] = target.calls;
      const body = JSON.parse(call?.body ?? '');
      assert.deepEqual(Object.keys(body), ['event', 'timestamp', 'data']);
      assert.deepEqual([body.event, typeof body.data.message], ['webhook.test', 'string']);
      assert.equal(call?.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(call?.headers['x-service-event'], 'webhook.test');
      assert.equal(
        call?.headers['x-service-signature'],
        createHmac('sha256', secret)
          .update(call?.body ?? '')
          .digest('hex'),
      );
    });

    it('records the delivery and its attempt', async () => {
      await using target = await receiver((res) => res.writeHead(201).end('recibido'));
      const business = await build.business();
      const { id } = await hook(business.owner, target.url);

      await test(id, business.owner);

      const page = await deliveries(id, business.owner);
      assert.equal(page.total, 1);
      const [{ id: deliveryId, createdAt, deliveredAt, payload, ...delivery }] = page.data;
      assert.deepEqual(delivery, {
        webhookId: id,
        event: 'webhook.test',
        status: 'DELIVERED',
        statusCode: 201,
        responseBody: 'recibido',
        errorCode: null,
      });
      assert.deepEqual(payload, JSON.parse(target.calls[0]?.body ?? ''));
      assert.ok(createdAt <= deliveredAt);
      const [attempt, ...more] = await attempts(business);
      assert.deepEqual(
        [attempt?.deliveryId, attempt?.number, attempt?.statusCode, more.length],
        [deliveryId, 1, 201, 0],
      );
    });

    for (const status of [302, 410, 500]) {
      it(`answers 200 {success: false, statusCode: ${status}} when the endpoint responds with ${status}`, async () => {
        await using target = await receiver((res) => res.writeHead(status, { location: '/otra' }).end('no'));
        const { owner } = await build.business();
        const { id } = await hook(owner, target.url);

        const res = await test(id, owner);

        assert.deepEqual([res.status, res.body], [200, { success: false, statusCode: status }]);
        assert.equal(target.calls.length, 1);
        const [delivery] = (await deliveries(id, owner)).data;
        assert.deepEqual([delivery.status, delivery.statusCode, delivery.deliveredAt], ['EXHAUSTED', status, null]);
      });
    }

    it('answers 502 «No se pudo conectar con el endpoint» to a refused connection and records it', async () => {
      const { owner } = await build.business();
      const { id } = await hook(owner, 'http://127.0.0.1:1/');

      const res = await test(id, owner);

      assert.deepEqual(
        [res.status, res.body.error, res.body.code, res.body.reason],
        [502, 'No se pudo conectar con el endpoint', 'unreachable', 'endpoint_unreachable'],
      );
      const [delivery] = (await deliveries(id, owner)).data;
      assert.deepEqual([delivery.statusCode, delivery.errorCode, delivery.responseBody], [0, 'refused', '']);
    });

    it('answers 502 «No se pudo conectar con el endpoint» after 5 seconds without a response', async () => {
      await using target = await receiver(() => undefined);
      const { owner } = await build.business();
      const { id } = await hook(owner, target.url);
      const began = performance.now();

      const res = await inTime(8_000, test(id, owner));

      assert.deepEqual([res.status, res.body.error], [502, 'No se pudo conectar con el endpoint']);
      assert.ok(performance.now() - began > 4_800);
      assert.equal((await deliveries(id, owner)).data[0].errorCode, 'timeout');
    });

    it('works for an inactive webhook too', async () => {
      await using target = await receiver();
      const { owner } = await build.business();
      const { id } = await hook(owner, target.url);
      await app.request('PUT', `/api/webhooks/${id}`, { headers: owner, body: { isActive: false } });

      assert.equal((await test(id, owner)).status, 200);
    });

    it('calls the endpoint once per Idempotency-Key', async () => {
      await using target = await receiver();
      const { owner } = await build.business();
      const { id } = await hook(owner, target.url);
      const headers = { ...owner, 'Idempotency-Key': newId() };

      const [first, second] = [await test(id, headers), await test(id, headers)];

      assert.deepEqual([second.status, second.body], [200, first.body]);
      assert.equal(target.calls.length, 1);
      assert.equal((await deliveries(id, owner)).total, 1);
    });

    it('stores a response with NUL, invalid UTF-8 and 1 MB', async () => {
      const bytes = Buffer.concat([Buffer.from('a\0b'), Buffer.from([0xff, 0xfe]), Buffer.alloc(1_000_000, 'x')]);
      await using target = await receiver((res) => res.end(bytes));
      const { owner } = await build.business();
      const { id } = await hook(owner, target.url);

      const res = await test(id, owner);

      assert.deepEqual([res.status, res.body], [200, { success: true, statusCode: 200 }]);
      const [{ responseBody }] = (await deliveries(id, owner)).data;
      assert.match(responseBody, /^abx{4000,}$/);
    });
  });

  describe('GET …/deliveries', () => {
    it('has pages of 20, newest first; a page past the end is empty', async () => {
      const business = await build.business();
      const { id } = await hook(business.owner, 'https://example.com/');
      const ids = await planned(business, id, 23);

      const [one, two, three] = [
        await deliveries(id, business.owner),
        await deliveries(id, business.owner, 2),
        await deliveries(id, business.owner, 3),
      ];

      assert.deepEqual([one.total, one.page, one.totalPages, two.page], [23, 1, 2, 2]);
      assert.deepEqual(
        [...one.data, ...two.data].map((delivery: { id: string }) => delivery.id),
        ids.toReversed(),
      );
      assert.deepEqual([one.data.length, three.data], [20, []]);
    });

    it('a delivery without attempts has statusCode null', async () => {
      const business = await build.business();
      const { id } = await hook(business.owner, 'https://example.com/');
      await planned(business, id, 1);

      const [delivery] = (await deliveries(id, business.owner)).data;

      assert.deepEqual([delivery.status, delivery.statusCode, delivery.deliveredAt], ['PENDING', null, null]);
    });
  });

  describe('POST …/deliveries/:deliveryId/replay', () => {
    const replay = (id: string, deliveryId: string, as: Credential) =>
      app.post(`/api/webhooks/${id}/deliveries/${deliveryId}/replay`, undefined, as);

    it('answers 202 with a new delivery of the same bytes and writes an audit entry', async () => {
      const business = await build.business();
      const { id } = await hook(business.owner, 'https://example.com/');
      const [deliveryId = ''] = await planned(business, id, 1);

      const [first, second] = [
        await replay(id, deliveryId, business.owner),
        await replay(id, deliveryId, business.owner),
      ];

      assert.deepEqual([first.status, first.body.status, first.body.statusCode], [202, 'PENDING', null]);
      const rows = await app.deps.withTenant(business.tenantId, (trx) =>
        WebhookDelivery.query(trx).where({ tenantId: business.tenantId }).orderBy('replay'),
      );
      assert.deepEqual(
        rows.map((row) => [row.id, row.replay, row.eventId, row.payload, row.dispatchedAt]),
        [deliveryId, first.body.id, second.body.id].map((rowId, n) => [
          rowId,
          n,
          rows[0]?.eventId,
          rows[0]?.payload,
          null,
        ]),
      );
      const entries = await auditOf(business, id);
      assert.deepEqual(
        entries.map(({ action }) => action),
        ['create', 'replay', 'replay'],
      );
    });

    it('concurrent replays get different numbers', async () => {
      const business = await build.business();
      const { id } = await hook(business.owner, 'https://example.com/');
      const [deliveryId = ''] = await planned(business, id, 1);

      const responses = await Promise.all(Array.from({ length: 5 }, () => replay(id, deliveryId, business.owner)));

      assert.deepEqual(
        responses.map(({ status }) => status),
        [202, 202, 202, 202, 202],
      );
      assert.equal((await deliveries(id, business.owner)).total, 6);
    });

    it('answers 404 «Entrega no encontrada» to an unknown delivery and one of another webhook', async () => {
      const business = await build.business();
      const [one, other] = [
        await hook(business.owner, 'https://example.com/'),
        await hook(business.owner, 'https://example.com/'),
      ];
      const [deliveryId = ''] = await planned(business, other.id, 1);

      const [foreign, none] = [
        await replay(one.id, deliveryId, business.owner),
        await replay(one.id, 'nada', business.owner),
      ];

      assert.deepEqual([foreign.status, foreign.body.error], [404, 'Entrega no encontrada']);
      assert.deepEqual([none.status, none.body.error], [404, 'Entrega no encontrada']);
    });

    it('answers 409 «El webhook está inactivo» for an inactive webhook', async () => {
      const business = await build.business();
      const { id } = await hook(business.owner, 'https://example.com/');
      const [deliveryId = ''] = await planned(business, id, 1);
      await app.request('PUT', `/api/webhooks/${id}`, { headers: business.owner, body: { isActive: false } });

      const res = await replay(id, deliveryId, business.owner);

      assert.deepEqual([res.status, res.body.error], [409, 'El webhook está inactivo']);
      assert.equal(res.body.reason, 'webhook_inactive');
      assert.equal((await deliveries(id, business.owner)).total, 1);
    });
  });

  /** Inserts deliveries as the dispatcher does, oldest first. */
  async function planned({ tenantId }: build.Business, webhookId: string, n: number): Promise<string[]> {
    const rows = Array.from({ length: n }, (_, i) => ({
      id: newId(),
      tenantId,
      webhookId,
      event: 'quote.created',
      eventId: newId(),
      payload: '{"event":"quote.created","timestamp":"2026-12-15T18:30:00.000Z","data":{}}',
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, i)),
    }));
    await app.deps.withTenant(tenantId, (trx) => WebhookDelivery.query(trx).insert(rows));
    return rows.map(({ id }) => id);
  }
});
