import assert from 'node:assert/strict';
import { parseApiKey } from '../../adapters/crypto/api-keys.ts';
import { ApiKey } from '../../db/models/api-key.ts';
import { Mail } from '../../db/models/mail.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

describe('/api/api-keys', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const create = (as: Credential, body: unknown = { name: 'Contabilidad' }) => app.post('/api/api-keys', body, as);
  const revoke = (id: string, as: Credential) => app.request('DELETE', `/api/api-keys/${id}`, { headers: as });
  const withKey = (key: string): Credential => ({ Authorization: `Bearer ${key}` });

  it('POST answers 201 with a working key and writes an audit entry without it', async () => {
    const business = await build.business();

    const res = await create(business.owner);

    assert.equal(res.status, 201);
    const { id, name, key, prefix, last4, createdAt, ...more } = res.body;
    assert.match(key, /^svc_[0-9a-f]{40}$/);
    assert.ok(parseApiKey(key));
    const rest = { scope: 'full', expiresAt: null };
    assert.deepEqual([name, prefix, last4, more], ['Contabilidad', key.slice(0, 8), key.slice(-4), rest]);
    assert.ok(Date.parse(createdAt));
    assert.equal((await app.get('/api/v1/api-keys', withKey(key))).status, 200);
    const [entry] = await auditOf(business, id);
    assert.deepEqual(
      [entry?.action, entry?.entity, entry?.metadata],
      ['create', 'api_key', { name, prefix, last4, ...rest }],
    );
  });

  it('GET answers an array, newest first, with the time of last use and without the keys', async () => {
    const { owner } = await build.business();
    const first = (await create(owner, { name: 'Uno' })).body;
    await create(owner, { name: 'Dos' });
    await app.get('/api/clients', withKey(first.key));

    const res = await app.get('/api/api-keys', owner);

    assert.equal(res.status, 200);
    assert.deepEqual(
      res.body.map(({ name, lastUsedAt }: { name: string; lastUsedAt: string | null }) => [name, lastUsedAt !== null]),
      [
        ['Dos', false],
        ['Uno', true],
      ],
    );
    assert.ok(!res.bytes.toString().includes(first.key));
  });

  it('DELETE answers 200 {ok: true}, and the next call with that key answers 401 «No autorizado»', async () => {
    const business = await build.business();
    const { id, key } = (await create(business.owner)).body;

    const res = await revoke(id, business.owner);

    assert.deepEqual([res.status, res.body], [200, { ok: true }]);
    const refused = await app.get('/api/clients', withKey(key));
    assert.deepEqual([refused.status, refused.body.error], [401, 'No autorizado']);
    assert.deepEqual((await app.get('/api/api-keys', business.owner)).body, []);
    const [, entry] = await auditOf(business, id);
    assert.deepEqual([entry?.action, entry?.entity], ['delete', 'api_key']);
  });

  it('DELETE answers 404 «Clave no encontrada» to a revoked key', async () => {
    const { owner } = await build.business();
    const { id } = (await create(owner)).body;
    await revoke(id, owner);

    const res = await revoke(id, owner);

    assert.deepEqual([res.status, res.body.error], [404, 'Clave no encontrada']);
  });

  describe('of the scope read', () => {
    const readKey = async (as: Credential) => withKey((await create(as, { name: 'Lectura', scope: 'read' })).body.key);

    it('reads', async () => {
      const { owner } = await build.business();
      const as = await readKey(owner);

      for (const path of ['/api/clients', '/api/v1/quotes', '/api/settings', '/api/connector/me'])
        assert.equal((await app.get(path, as)).status, 200, path);
    });
  });

  describe('that expires', () => {
    const tomorrow = () => new Date(Date.now() + 24 * 3600 * 1000).toISOString();

    it('works until then, and answers 401 «No autorizado» afterwards', async () => {
      const business = await build.business();
      const { id, key, expiresAt } = (await create(business.owner, { name: 'Corta', expiresAt: tomorrow() })).body;
      assert.ok(Date.parse(expiresAt) > Date.now());
      assert.equal((await app.get('/api/clients', withKey(key))).status, 200);

      await app.deps.withTenant(business.tenantId, (trx) =>
        ApiKey.query(trx)
          .findById(id)
          .patch({ expiresAt: new Date(Date.now() - 1000) }),
      );

      assert.equal((await app.get('/api/clients', withKey(key))).status, 401);
    });

    it('expires with the last millisecond of a day, in the time zone of the business', async () => {
      const { owner } = await build.business();

      const { body } = await create(owner, { name: 'Fin de año', expiresAt: '2099-12-31' });

      assert.equal(body.expiresAt, '2100-01-01T05:59:59.999Z');
    });

    it('answers 400 to a time that has passed or does not exist', async () => {
      const { owner } = await build.business();

      for (const expiresAt of ['2020-01-01', '2027-02-30', 'mañana', new Date(Date.now() - 1000).toISOString()]) {
        const res = await create(owner, { name: 'Corta', expiresAt });
        assert.deepEqual([res.status, res.body.details?.[0]?.path], [400, 'expiresAt'], expiresAt);
      }
    });

    it('creates keys that expire with it at the latest', async () => {
      const { owner } = await build.business();
      const first = (await create(owner, { name: 'Corta', expiresAt: tomorrow() })).body;
      const as = withKey(first.key);

      const inherited = await create(as);
      const shorter = await create(as, { name: 'Más corta', expiresAt: new Date(Date.now() + 60_000).toISOString() });
      const longer = await create(as, { name: 'Más larga', expiresAt: '2099-12-31' });

      assert.deepEqual([inherited.status, inherited.body.expiresAt], [201, first.expiresAt]);
      assert.equal(shorter.status, 201);
      assert.deepEqual([longer.status, longer.body.details?.[0]?.path], [400, 'expiresAt']);
    });
  });

  describe('of a collaborator', () => {
    it('is created, listed and revoked by them; keys of others stay out of sight and reach', async () => {
      const business = await build.business();
      const { as } = await build.member(business);
      const foreign = (await create(business.owner, { name: 'Del dueño' })).body;

      const own = (await create(as, { name: 'Propia' })).body;

      const names = (res: { body: { name: string }[] }) => res.body.map(({ name }) => name);
      assert.deepEqual(names(await app.get('/api/api-keys', as)), ['Propia', 'prueba']);
      assert.deepEqual(names(await app.get('/api/api-keys', business.owner)), ['Propia', 'Del dueño', 'prueba']);
      assert.deepEqual((await revoke(foreign.id, as)).status, 404);
      assert.deepEqual((await revoke(own.id, as)).status, 200);
    });
  });

  it('shows where a key was last used from, and mails its user that it was created', async () => {
    const business = await build.business();
    const { key, last4 } = (await create(business.owner)).body;
    await app.get('/api/clients', withKey(key));

    const [listed] = (await app.get('/api/api-keys', business.owner)).body;

    assert.deepEqual([listed.lastUsedIp, listed.userId], ['127.0.0.1', business.userId]);
    const { tenantId } = business;
    const mails = await app.deps.withTenant(tenantId, (trx) => Mail.query(trx).where({ tenantId }));
    assert.deepEqual(
      mails.map(({ kind, userId }) => [kind, userId]),
      [['api_key_created', business.userId]],
    );
    assert.ok(mails[0]?.details?.includes(last4) && !mails[0].details.includes(key));
  });
});
