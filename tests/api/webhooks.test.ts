import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { Webhook } from '../../db/models/webhook.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import * as build from './build.ts';
import { receiver } from './receiver.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

const URL_OK = 'https://hooks.example.com/avisos';
const EVENTS = ['quote.created', 'quote.sent'];

describe('/api/webhooks', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const create = async (as: Credential, body: Record<string, unknown> = {}) => {
    const res = await app.post('/api/webhooks', { url: URL_OK, events: EVENTS, ...body }, as);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    return res.body as { id: string; secret: string; url: string; events: string[] };
  };
  const put = (id: string, body: unknown, as: Credential) =>
    app.request('PUT', `/api/webhooks/${id}`, { headers: as, body });
  const remove = (id: string, as: Credential) => app.request('DELETE', `/api/webhooks/${id}`, { headers: as });
  const stored = ({ tenantId }: build.Business, id: string) =>
    app.deps.withTenant(tenantId, (trx) => Webhook.query(trx).findOne({ tenantId, id }).throwIfNotFound());

  describe('POST /api/webhooks', () => {
    it('answers 201 with the whole secret: whsec_ and 32 bytes in base64', async () => {
      const { owner, tenantId } = await build.business();

      const res = await app.post('/api/webhooks', { url: URL_OK, events: EVENTS }, owner);

      assert.equal(res.status, 201);
      const { id, secret, createdAt, updatedAt, ...rest } = res.body;
      assert.deepEqual(rest, { url: URL_OK, events: EVENTS, isActive: true, tenantId });
      assert.match(id, /^c[a-z0-9]{24}$/);
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.equal(createdAt, updatedAt);
    });

    it('stores the secret encrypted and not in the audit log', async () => {
      const business = await build.business();
      const { id, secret } = await create(business.owner);

      const row = await stored(business, id);
      const audit = await auditOf(business, id);

      assert.ok(!JSON.stringify(row).includes(secret.slice(6, 40)));
      assert.equal(app.deps.secrets.open(row.secretSealed, { purpose: 'webhook_secret', rowId: id }), secret);
      assert.deepEqual(
        audit.map(({ action, entity, metadata }) => ({ action, entity, metadata })),
        [{ action: 'create', entity: 'Webhook', metadata: { url: URL_OK, events: EVENTS } }],
      );
    });

    it('stores a repeated event once', async () => {
      const { owner } = await build.business();

      assert.deepEqual((await create(owner, { events: ['quote.sent', 'quote.sent'] })).events, ['quote.sent']);
    });
  });

  describe('GET', () => {
    it('lists newest first with _count.deliveries and only the end of the secret', async () => {
      const { owner } = await build.business();
      const first = await create(owner);
      const second = await create(owner, { url: 'http://127.0.0.1:1/' });
      await app.post(`/api/webhooks/${second.id}/test`, undefined, owner);

      const res = await app.get('/api/webhooks', owner);

      assert.equal(res.status, 200);
      assert.deepEqual(
        res.body.map(({ id, secret, _count }: { id: string; secret: string; _count: object }) => [id, secret, _count]),
        [
          [second.id, `whsec_••••${second.secret.slice(-4)}`, { deliveries: 1 }],
          [first.id, `whsec_••••${first.secret.slice(-4)}`, { deliveries: 0 }],
        ],
      );
    });

    it('shows one webhook with only the end of its secret', async () => {
      const { owner } = await build.business();
      const { secret, ...webhook } = await create(owner);

      const res = await app.get(`/api/webhooks/${webhook.id}`, owner);

      assert.equal(res.status, 200);
      assert.deepEqual(res.body, { ...webhook, secret: `whsec_••••${secret.slice(-4)}` });
    });
  });

  describe('PUT /api/webhooks/:id', () => {
    it('changes only the given members and audits before and after', async () => {
      const business = await build.business();
      const { id } = await create(business.owner);

      const res = await put(id, { events: ['client.created'], isActive: false }, business.owner);

      assert.equal(res.status, 200);
      assert.deepEqual([res.body.url, res.body.events, res.body.isActive], [URL_OK, ['client.created'], false]);
      const [, update] = await auditOf(business, id);
      assert.deepEqual(update?.metadata, {
        before: { events: EVENTS, isActive: true },
        after: { events: ['client.created'], isActive: false },
      });
    });

    it('writes nothing when nothing changes', async () => {
      const business = await build.business();
      const { id } = await create(business.owner);

      const res = await put(id, { url: URL_OK, events: EVENTS }, business.owner);

      assert.equal(res.status, 200);
      assert.equal((await auditOf(business, id)).length, 1);
    });
  });

  describe('DELETE /api/webhooks/:id', () => {
    it('answers {ok: true} and deletes the webhook with its deliveries', async () => {
      const business = await build.business();
      const { id } = await create(business.owner, { url: 'http://127.0.0.1:1/' });
      await app.post(`/api/webhooks/${id}/test`, undefined, business.owner);

      const res = await remove(id, business.owner);

      assert.deepEqual([res.status, res.body], [200, { ok: true }]);
      const left = await app.deps.withTenant(business.tenantId, (trx) =>
        WebhookDelivery.query(trx).where({ tenantId: business.tenantId }).resultSize(),
      );
      assert.equal(left, 0);
      assert.equal((await app.get(`/api/webhooks/${id}`, business.owner)).status, 404);
      assert.deepEqual(
        (await auditOf(business, id)).map(({ action }) => action),
        ['create', 'delete'],
      );
    });
  });

  describe('POST /api/webhooks/:id/rotate-secret', () => {
    it('answers the new secret and the 24-hour validity of the old one', async () => {
      const business = await build.business();
      const { id, secret } = await create(business.owner);

      const res = await app.post(`/api/webhooks/${id}/rotate-secret`, undefined, business.owner);

      assert.equal(res.status, 200);
      assert.equal(res.body.id, id);
      assert.notEqual(res.body.secret, secret);
      const hours = (Date.parse(res.body.previousValidUntil) - Date.now()) / 3_600_000;
      assert.ok(hours > 23.9 && hours <= 24, `${hours} hours`);
      const [, rotation] = await auditOf(business, id);
      assert.equal(rotation?.action, 'rotate');
      assert.ok(!JSON.stringify(rotation).includes(res.body.secret));
    });

    it('signs with the new secret and has both signatures in webhook-signature', async () => {
      await using target = await receiver();
      const { owner } = await build.business();
      const { id, secret: old } = await create(owner, { url: target.url });
      const { body: rotated } = await app.post(`/api/webhooks/${id}/rotate-secret`, undefined, owner);

      await app.post(`/api/webhooks/${id}/test`, undefined, owner);

      const [call] = target.calls;
      assert.equal(call?.headers['x-service-signature'], hex(rotated.secret, call?.body));
      assert.deepEqual(
        call?.headers['webhook-signature'],
        [rotated.secret, old].map((secret) => standard(secret, call)).join(' '),
      );
    });
  });
});

const hex = (secret: string, body = '') => createHmac('sha256', secret).update(body).digest('hex');

function standard(secret: string, call: { headers: Record<string, unknown>; body: string } | undefined): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const message = `${String(call?.headers['webhook-id'])}.${String(call?.headers['webhook-timestamp'])}.${call?.body}`;
  return `v1,${createHmac('sha256', key).update(message).digest('base64')}`;
}
