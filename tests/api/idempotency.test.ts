import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { IdempotencyKey } from '../../db/models/idempotency-key.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf, rowCounts } from './stored.ts';

const stored = async ({ tenantId }: { tenantId: string }) => {
  const { deps } = await service();
  return deps.withTenant(tenantId, (trx) => IdempotencyKey.query(trx).where({ tenantId }));
};

describe('Idempotency-Key on a creating POST', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const LAURA = { contactName: 'Laura' };
  const create = (as: Credential, key: string, body: unknown = LAURA, path = '/api/clients') =>
    app.post(path, body, { ...as, 'Idempotency-Key': key });

  it('a repeated request gets the stored response with Idempotency-Replayed: true and has no second effect', async () => {
    const business = await build.business();
    const first = await create(business.owner, 'k1');
    const after = await rowCounts(business);

    const second = await create(business.owner, 'k1');

    assert.deepEqual([first.status, first.headers.get('idempotency-replayed')], [201, null]);
    assert.deepEqual([second.status, second.headers.get('idempotency-replayed')], [201, 'true']);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(await rowCounts(business), after);
    assert.equal(after['clients'], 1);
  });

  it('answers 422 «Idempotency-Key usada con otro contenido» to another body', async () => {
    const business = await build.business();
    await create(business.owner, 'k1');

    const res = await create(business.owner, 'k1', { contactName: 'Otra' });

    assert.equal(res.status, 422);
    assert.deepEqual([res.body.error, res.body.code], ['Idempotency-Key usada con otro contenido', 'unprocessable']);
    assert.equal((await rowCounts(business))['clients'], 1);
  });

  it('compares validated bodies: order of members and unknown members do not matter', async () => {
    const business = await build.business();
    const first = await create(business.owner, 'k1', { contactName: 'Laura', phone: '55' });

    const second = await create(business.owner, 'k1', { contactName: ' Laura ', phone: '55', extra: 1 });

    assert.deepEqual([second.status, second.body], [201, first.body]);
  });

  it('20 concurrent requests have one effect; the others get 409 «Solicitud en curso» or the stored response', async () => {
    const business = await build.business();
    const before = await rowCounts(business);

    const responses = await Promise.all(Array.from({ length: 20 }, () => create(business.owner, 'k1')));

    const created = responses.filter(({ status }) => status === 201);
    const busy = responses.filter(({ status }) => status === 409);
    assert.equal(created.length + busy.length, 20);
    assert.equal(created.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1);
    assert.equal(new Set(created.map(({ body }) => body.id)).size, 1);
    assert.deepEqual(new Set(busy.map(({ body }) => `${body.error} ${body.code}`)).size <= 1, true);
    assert.ok(
      busy.every(({ body, headers }) => body.error === 'Solicitud en curso' && headers.get('retry-after') !== null),
    );
    const { clients = 0, outboxEvents = 0, auditLogs = 0, ...rest } = before;
    const one = { clients: clients + 1, outboxEvents: outboxEvents + 1, auditLogs: auditLogs + 1 };
    assert.deepEqual(await rowCounts(business), { ...rest, ...one });
  });

  it('answers 409 «Solicitud en curso» with Retry-After while the first request runs', async () => {
    const business = await build.business();
    await create(business.owner, 'k1');
    const { tenantId } = business;
    const [row] = await stored(business);

    const res = await app.deps.withTenant(tenantId, async (trx) => {
      await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`idempotency ${tenantId} ${row?.scope}`]);
      return create(business.owner, 'k1');
    });

    assert.deepEqual([res.status, res.body.error, res.body.code], [409, 'Solicitud en curso', 'request_in_progress']);
    assert.equal(res.body.reason, 'idempotent_request_in_progress');
    assert.equal(res.headers.get('retry-after'), '2');
  });

  it('a failed create stores nothing, so the same key can retry, even with another body', async () => {
    const business = await build.business();
    const body = { clientId: newId(), items: [build.ITEM] };

    const failed = await create(business.owner, 'k1', body, '/api/quotes');
    const kept = await stored(business);
    const { id: clientId } = await build.client(business.owner);
    const again = await create(business.owner, 'k1', { ...body, clientId }, '/api/quotes');

    assert.deepEqual([failed.status, kept.length], [404, 0]);
    assert.deepEqual([again.status, again.body.quoteNumber], [201, 1]);
  });

  it('after 24 hours the key can be used again', async () => {
    const business = await build.business();
    const first = await create(business.owner, 'k1');
    const { tenantId } = business;
    const aDayAgo = (seconds: number) => new Date(Date.now() - 24 * 3_600_000 + seconds * 1_000);
    const age = (createdAt: Date) =>
      app.deps.withTenant(tenantId, (trx) => IdempotencyKey.query(trx).where({ tenantId }).patch({ createdAt }));

    await age(aDayAgo(60));
    const before = await create(business.owner, 'k1');
    await age(aDayAgo(-1));
    const after = await create(business.owner, 'k1', { contactName: 'Otra' });

    assert.equal(before.body.id, first.body.id);
    assert.equal(after.status, 201);
    assert.notEqual(after.body.id, first.body.id);
  });

  it('a quoted and a bare key are the same', async () => {
    const business = await build.business();
    const first = await create(business.owner, '"k 1"'.replace(' ', '-'));

    const second = await create(business.owner, 'k-1');

    assert.equal(second.body.id, first.body.id);
  });

  it('keys of other members, API keys and businesses are independent', async () => {
    const business = await build.business();
    const other = await build.business();
    const carlos = await build.member(business);
    const laura = await build.member(business);

    const responses = await Promise.all(
      [business.owner, carlos.as, laura.as, other.owner].map((as) => create(as, 'k1')),
    );

    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 201, 201, 201],
    );
    assert.equal(new Set(responses.map(({ body }) => body.id)).size, 4);
  });

  it('the same key on another route is independent', async () => {
    const business = await build.business();
    const { body: laura } = await create(business.owner, 'k1');

    const res = await create(business.owner, 'k1', { clientId: laura.id, items: [build.ITEM] }, '/api/quotes');

    assert.equal(res.status, 201);
  });

  it('answers 400 to an empty key', async () => {
    const { owner } = await build.business();

    const res = await create(owner, '');

    assert.equal(res.status, 400);
    assert.equal(res.body.error, 'Idempotency-Key: debe tener de 1 a 255 caracteres visibles');
  });

  it('answers 400 to a key with spaces or of 256 characters', async () => {
    const { owner } = await build.business();

    const spaced = await create(owner, 'a b');
    const long = await create(owner, 'x'.repeat(256));

    assert.equal(spaced.status, 400);
    assert.equal(spaced.body.error, 'Idempotency-Key: debe tener de 1 a 255 caracteres visibles');
    assert.equal(long.status, 400);
    assert.equal((await create(owner, 'x'.repeat(255))).status, 201);
  });

  it('a 400 for an invalid body stores nothing', async () => {
    const business = await build.business();

    const res = await create(business.owner, 'k1', {});

    assert.deepEqual([res.status, (await stored(business)).length], [400, 0]);
  });

  it('a caller who lost the permission does not get the stored response', async () => {
    const business = await build.business();
    const boss = await build.member(business, { role: 'OWNER' });
    const create2 = () => create(boss.as, 'k1', { name: 'Silla', unitPrice: 1 }, '/api/products');
    assert.equal((await create2()).status, 201);
    const { tenantId } = business;
    await app.deps.withTenant(tenantId, (trx) =>
      trx('users').where({ tenantId, id: boss.userId }).update({ role: 'COLLABORATOR' }),
    );

    assert.equal((await create2()).status, 403);
  });

  it('neither the key nor the response is stored in plain text', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner);
    const { body } = await create(business.owner, 'clave-visible', { clientId, items: [build.ITEM] }, '/api/quotes');

    const text = JSON.stringify(await stored(business));

    assert.ok(!text.includes('clave-visible'));
    assert.ok(!text.includes(body.publicToken));
    assert.ok(!text.includes(body.id));
  });

  it('mark-all-read ignores the key', async () => {
    const business = await build.business();
    await build.notification(business);
    const mark = () => create(business.owner, 'k1', undefined, '/api/notifications/mark-all-read');

    assert.deepEqual((await mark()).body, { updated: 1 });
    assert.deepEqual((await mark()).body, { updated: 0 });
    assert.equal((await auditOf(business, business.tenantId)).length, 1);
  });
});
