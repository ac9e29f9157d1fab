import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { createServer, isIP } from 'node:net';
import type { AddressInfo } from 'node:net';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createAutomationWebhookActivities } from '../../activities/automation-webhook.ts';
import { createDeliverActivities } from '../../activities/webhooks/deliver.ts';
import { createOutboundHttp } from '../../adapters/outbound-http/client.ts';
import { newId } from '../../db/ids.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import { Webhook } from '../../db/models/webhook.ts';
import { triggeredRun } from '../activities/automation-world.ts';
import { HOSTILE, METADATA, RESOLVED } from '../adapters/outbound-vectors.ts';
import * as build from './build.ts';
import { ownService, type Service } from './service.ts';
import { ELSEWHERE } from '../adapters/elsewhere.ts';
import { createActivityPermits } from '../../activities/permits.ts';

const LOOPBACK = '127.0.0.0/8,::1/128';

/** Listens on all addresses of this machine, IPv4 and IPv6, and counts connections. */
async function startCanary() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '::', resolve);
  });
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { port, connections: () => connections, close: () => server.close() };
}

async function resolve(hostname: string): Promise<LookupAddress[]> {
  const addresses = RESOLVED[hostname];
  if (!addresses) throw new Error('no such name');
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

describe('SSRF canary: a listener on loopback gets no connection', () => {
  let listener: Awaited<ReturnType<typeof startCanary>>;
  let app: Service;
  let business: build.Business;
  let urls: readonly string[];
  const outbound = createOutboundHttp({ ...ELSEWHERE, OUTBOUND_ALLOW_CIDRS: '', resolve });

  before(async () => {
    listener = await startCanary();
    app = await ownService({ OUTBOUND_ALLOW_CIDRS: '' }, (deps) => ({ ...deps, outbound }));
    business = await build.business();
    urls = HOSTILE.map((url) => url.replace('PORT', String(listener.port)));
  });
  after(() => listener.close());
  afterEach(() => assert.equal(listener.connections(), 0));

  /** The URLs with an unexpected result. */
  async function otherThan<T>(expected: T, work: (url: string) => Promise<T>): Promise<object> {
    const others: Record<string, T> = {};
    for (const url of urls) {
      const outcome = await work(url);
      if (outcome !== expected) others[url] = outcome;
    }
    return others;
  }

  it('the test has more than eighty addresses', () => {
    assert.ok(HOSTILE.length >= 80);
    assert.equal(new Set(HOSTILE).size, HOSTILE.length);
  });

  describe('saving: each address answers 400 and is not stored', () => {
    const stored = async () => (await app.get('/api/webhooks', business.owner)).body.length;

    it('POST /api/webhooks', async () => {
      const body = (url: string) => ({ url, events: ['quote.created'] });

      const others = await otherThan(400, async (url) => {
        const res = await app.post('/api/webhooks', body(url), business.owner);
        return res.status;
      });

      assert.deepEqual(others, {});
      assert.equal(await stored(), 0);
    });

    it('POST /api/connector/hooks', async () => {
      const body = (targetUrl: string) => ({ targetUrl, event: 'quote.created' });

      const others = await otherThan(400, async (url) => {
        const res = await app.post('/api/connector/hooks', body(url), business.owner);
        return res.status;
      });

      assert.deepEqual(others, {});
      assert.equal(await stored(), 0);
    });

    it('POST /api/automations with fire_webhook', async () => {
      const actions = (url: string) => [{ type: 'fire_webhook', url, includeItems: true }];

      const others = await otherThan(400, async (url) => {
        const automation = { name: 'Avisar', trigger: 'QUOTE_CREATED', actions: actions(url) };
        const res = await app.post('/api/automations', automation, business.owner);
        return res.status;
      });

      assert.deepEqual(others, {});
      assert.deepEqual((await app.get('/api/automations', business.owner)).body, []);
    });

    it('PUT /api/webhooks/:id and PATCH /api/automations/:id', async () => {
      const other = await build.business();
      const url = 'https://example.com/aviso';
      const safe = createOutboundHttp({
        ...ELSEWHERE,
        OUTBOUND_ALLOW_CIDRS: '',
        resolve: () => Promise.reject(new Error('away')),
      });
      const open = await ownService({ OUTBOUND_ALLOW_CIDRS: '' }, (deps) => ({ ...deps, outbound: safe }));
      const webhook = await open.post('/api/webhooks', { url, events: ['quote.created'] }, other.owner);
      const actions = [{ type: 'fire_webhook', url, includeItems: true }];
      const automation = { name: 'Avisar', trigger: 'QUOTE_CREATED', actions };
      const { body } = await open.post('/api/automations', automation, other.owner);

      const others = await otherThan('400 400', async (hostile) => {
        const put = await app.request('PUT', `/api/webhooks/${webhook.body.id}`, {
          headers: other.owner,
          body: { url: hostile },
        });
        const changed = { actions: [{ ...actions[0], url: hostile }] };
        const patch = await app.patch(`/api/automations/${body.id}`, changed, other.owner);
        return `${put.status} ${patch.status}`;
      });

      assert.deepEqual(others, {});
      assert.equal((await app.get(`/api/webhooks/${webhook.body.id}`, other.owner)).body.url, url);
    });
  });

  describe('calling: addresses that were stored before', () => {
    const blocked = 'blocked_address';

    /** Inserts a webhook with that address, bypassing the check of the API. */
    async function webhookTo(url: string): Promise<string> {
      const id = newId();
      await app.deps.withTenant(business.tenantId, (trx) =>
        Webhook.query(trx).insert({
          id,
          tenantId: business.tenantId,
          url,
          events: ['quote.created'],
          isActive: true,
          secretLast4: 'AAA=',
          secretSealed: app.deps.secrets.seal(`whsec_${'A'.repeat(43)}=`, { purpose: 'webhook_secret', rowId: id }),
        }),
      );
      return id;
    }

    it('POST /api/webhooks/:id/test answers 502 and records «blocked_address»', async () => {
      const others = await otherThan(`502 ${blocked}`, async (url) => {
        const id = await webhookTo(url);
        const res = await app.post(`/api/webhooks/${id}/test`, undefined, business.owner);
        const { body } = await app.get(`/api/webhooks/${id}/deliveries`, business.owner);
        return `${res.status} ${body.data[0]?.errorCode}`;
      });

      assert.deepEqual(others, {});
    });

    it('the delivery of an event ends its attempt with «blocked_address»', async () => {
      const activities = createDeliverActivities({
        ...app.deps,
        permits: createActivityPermits(),
        outbound,
        pausesS: [5],
        probeS: 60,
        wakeDispatcher: () => undefined,
      });
      const { tenantId } = business;
      const payload = JSON.stringify({ event: 'quote.created', timestamp: new Date().toISOString(), data: {} });

      const others = await otherThan<string | null | undefined>(blocked, async (url) => {
        const row = { id: newId(), tenantId, webhookId: await webhookTo(url), eventId: newId() };
        await app.deps.withTenant(tenantId, (trx) =>
          WebhookDelivery.query(trx).insert({ ...row, event: 'quote.created', payload, sequence: '1' }),
        );
        await new MockActivityEnvironment()
          .run(() => activities.deliver({ tenantId, deliveryId: row.id }))
          .catch(() => undefined);
        const { body } = await app.get(`/api/webhooks/${row.webhookId}/deliveries`, business.owner);
        return body.data[0]?.errorCode;
      });

      assert.deepEqual(others, {});
    });

    it('fire_webhook fails with «sin respuesta (blocked_address)»', async () => {
      const activities = createAutomationWebhookActivities({ ...app.deps, outbound, permits: createActivityPermits() });
      const quote = await build.quote(business.owner);

      const others = await otherThan(`sin respuesta (${blocked})`, async (url) => {
        const action = { type: 'fire_webhook', url, includeItems: false, headers: {} } as const;
        const { first } = await triggeredRun(business, quote.id, { actions: [action] });
        return activities.fireWebhook(first).then(
          () => 'called',
          (error: unknown) => (error instanceof Error ? error.message : 'no error'),
        );
      });

      assert.deepEqual(others, {});
    });
  });

  it('metadata servers stay blocked even if every range is allowed', async () => {
    const everything = createOutboundHttp({ ...ELSEWHERE, OUTBOUND_ALLOW_CIDRS: '0.0.0.0/0,::/0', resolve });
    const called = METADATA.map(async (url) => {
      const { errorCode } = await everything.post({ url, body: '', headers: {}, deadlineMs: 1_000 });
      return [url, errorCode, await everything.problemOf(url)];
    });

    const outcomes = await Promise.all(called);

    assert.deepEqual(
      outcomes,
      METADATA.map((url) => [url, 'blocked_address', 'debe apuntar a una dirección pública']),
    );
  });
});

describe('The canary listener', () => {
  it('gets connections by IPv4 and IPv6 if loopback is allowed', async () => {
    const listener = await startCanary();
    const open = createOutboundHttp({ ...ELSEWHERE, OUTBOUND_ALLOW_CIDRS: LOOPBACK });

    const hosts = ['127.0.0.1', '[::1]', '2130706433', 'localhost'];
    for (const host of hosts) {
      await open.post({ url: `http://${host}:${listener.port}/`, body: '', headers: {}, deadlineMs: 2_000 });
    }
    listener.close();

    assert.equal(listener.connections(), hosts.length);
  });
});
