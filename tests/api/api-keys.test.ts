import assert from 'node:assert/strict';
import { parseApiKey } from '../../adapters/crypto/api-keys.ts';
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
    assert.deepEqual([name, prefix, last4, more], ['Contabilidad', key.slice(0, 8), key.slice(-4), {}]);
    assert.ok(Date.parse(createdAt));
    assert.equal((await app.get('/api/v1/api-keys', withKey(key))).status, 200);
    const [entry] = await auditOf(business, id);
    assert.deepEqual([entry?.action, entry?.entity, entry?.metadata], ['create', 'api_key', { name, prefix, last4 }]);
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
});
