import assert from 'node:assert/strict';
import { newApiKey } from '../../adapters/crypto/api-keys.ts';
import { ApiKey } from '../../db/models/api-key.ts';
import { User } from '../../db/models/user.ts';
import * as build from './build.ts';
import { ownService, type Service, service } from './service.ts';

describe('Authorization: Bearer <API key>', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const listAs = (authorization: string, path = '/api/clients') => app.get(path, { Authorization: authorization });
  const bearerOf = (key: string) => ({ Authorization: `Bearer ${key}` });
  const keyOf = async () => (await build.member(await build.business())).as['Authorization'] ?? '';

  it('answers 200 under /api and under /api/v1', async () => {
    const bearer = await keyOf();

    assert.equal((await listAs(bearer)).status, 200);
    assert.equal((await listAs(bearer, '/api/v1/clients')).status, 200);
  });

  it('accepts the scheme Bearer in any letter case', async () => {
    const bearer = await keyOf();

    assert.equal((await listAs(bearer.replace('Bearer', 'bearer'))).status, 200);
  });

  it('a key with wrong check digits costs no query, a well-formed unknown key costs one', async () => {
    let asked = 0;
    const counting = await ownService({}, (deps) => ({
      ...deps,
      withTenant: (...args) => ((asked += 1), deps.withTenant(...args)),
      lookups: { ...deps.lookups, apiKey: (hash) => ((asked += 1), deps.lookups.apiKey(hash)) },
    }));
    const { key } = newApiKey();
    const otherDigit = key.endsWith('0') ? '1' : '0';
    const alike = [key.slice(0, -1) + otherDigit, `svc_${'0'.repeat(40)}`, key.toUpperCase(), `${key}0`, 'svc_', 'x'];

    for (const text of alike) assert.equal((await counting.get('/api/clients', bearerOf(text))).status, 401);
    const askedForAlike = asked;
    assert.equal((await counting.get('/api/clients', bearerOf(key))).status, 401);

    assert.deepEqual([askedForAlike, asked], [0, 1]);
  });

  it('answers 401 «No autorizado» to another scheme', async () => {
    const res = await listAs('Basic ZGlhbmE6c2VjcmV0');

    assert.equal(res.status, 401);
  });

  it('a key takes precedence over a cookie of the same request', async () => {
    const mine = await build.business();
    const { as, userId } = await build.member(mine);
    const other = await build.business();

    const res = await app.get('/api/auth/session', { ...as, ...other.owner });

    assert.equal(res.body.user.id, userId);
  });

  it('answers 401 «No autorizado» to an invalid key with a valid cookie', async () => {
    const { owner } = await build.business();

    const res = await app.get('/api/auth/session', { ...owner, Authorization: 'Bearer svc_no' });

    assert.equal(res.status, 401);
  });

  it('the key of a demoted owner gets the new role immediately: 403 «Sin permisos»', async () => {
    const business = await build.business();
    const { as, userId } = await build.member(business, { role: 'OWNER' });
    const { id } = await build.quote(as);
    const { tenantId } = business;
    await app.deps.withTenant(tenantId, (trx) =>
      User.query(trx).findOne({ tenantId, id: userId }).patch({ role: 'COLLABORATOR' }),
    );

    const res = await app.patch(`/api/quotes/${id}/status`, { status: 'SENT' }, as);

    assert.equal(res.status, 403);
    assert.equal(res.body.error, 'Sin permisos');
  });

  it('the use of a key updates its lastUsedAt', async () => {
    const business = await build.business();
    const { as } = await build.member(business);
    const { tenantId } = business;

    await app.get('/api/clients', as);

    const key = await app.deps.withTenant(tenantId, (trx) => ApiKey.query(trx).findOne({ tenantId }));
    assert.ok(Date.now() - (key?.lastUsedAt?.getTime() ?? 0) < 60_000);
  });
});
