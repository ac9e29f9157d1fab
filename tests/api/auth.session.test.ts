import assert from 'node:assert/strict';
import { Session } from '../../db/models/session.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { User } from '../../db/models/user.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('GET /api/auth/session', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const sessionOf = (as?: Credential) => app.get('/api/auth/session', as);
  const patchSession = ({ tenantId }: build.Business, columns: Partial<Session>) =>
    app.deps.withTenant(tenantId, (trx) => Session.query(trx).where({ tenantId }).patch(columns));

  it('answers 200 with the signed-in user', async () => {
    const { owner, email, userId, tenantId } = await build.business({ plan: 'FREE' });

    const res = await sessionOf(owner);

    assert.equal(res.status, 200);
    const user = { id: userId, email, name: 'Diana', role: 'OWNER', tenantId, plan: 'FREE' };
    assert.deepEqual(res.body.user, user);
  });

  it('answers 401 «No autorizado» to a cookie with one changed character', async () => {
    const { owner } = await build.business();
    const cookie = owner['Cookie'] ?? '';
    const changed = cookie.slice(0, -5) + (cookie.at(-5) === 'A' ? 'B' : 'A') + cookie.slice(-4);

    const res = await sessionOf({ Cookie: changed });

    assert.equal(res.status, 401);
  });

  it('answers 401 «No autorizado» immediately after the user was deactivated', async () => {
    const { owner, tenantId, userId } = await build.business();
    await app.deps.withTenant(tenantId, (trx) =>
      User.query(trx).findOne({ tenantId, id: userId }).patch({ isActive: false }),
    );

    const res = await sessionOf(owner);

    assert.equal(res.status, 401);
  });

  it('shows a changed plan and role immediately', async () => {
    const { owner, tenantId, userId } = await build.business();
    await app.deps.withTenant(tenantId, async (trx) => {
      await Tenant.query(trx).findById(tenantId).patch({ plan: 'FREE' });
      await User.query(trx).findOne({ tenantId, id: userId }).patch({ role: 'COLLABORATOR' });
    });

    const res = await sessionOf(owner);

    assert.deepEqual([res.body.user.plan, res.body.user.role], ['FREE', 'COLLABORATOR']);
  });

  it('use extends a session to seven days from now', async () => {
    const business = await build.business();
    await patchSession(business, { lastSeenAt: null, expiresAt: new Date(Date.now() + DAY_MS) });

    const res = await sessionOf(business.owner);

    assert.ok(Math.abs(Date.parse(res.body.expires) - (Date.now() + 7 * DAY_MS)) < 60_000, res.body.expires);
  });

  it('use never extends a session beyond thirty days after its start', async () => {
    const business = await build.business();
    const createdAt = new Date(Date.now() - 28 * DAY_MS);
    await patchSession(business, { lastSeenAt: null, createdAt, expiresAt: new Date(Date.now() + DAY_MS / 2) });

    const res = await sessionOf(business.owner);

    assert.equal(res.body.expires, new Date(createdAt.getTime() + 30 * DAY_MS).toISOString());
  });

  it('answers 200 with `expires` null to an API key', async () => {
    const business = await build.business();
    const { as, userId } = await build.member(business);

    const res = await sessionOf(as);

    assert.equal(res.body.expires, null);
    assert.deepEqual([res.body.user.id, res.body.user.role], [userId, 'COLLABORATOR']);
  });
});

describe('POST /api/auth/signout', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers {ok: true}, clears the cookie and ends the session immediately', async () => {
    const { owner } = await build.business();

    const res = await app.post('/api/auth/signout', undefined, owner);

    assert.equal(res.status, 200);
    assert.deepEqual(res.body, { ok: true });
    assert.match(res.headers.getSetCookie().join(), /^quoting\.session-token=; path=\/; expires=Thu, 01 Jan 1970/);
    assert.equal((await app.get('/api/auth/session', owner)).status, 401);
  });

  it('does not end other sessions of the user', async () => {
    const { owner, email } = await build.business();
    const second = await app.post('/api/auth/callback/credentials', { email, password: build.PASSWORD });

    await app.post('/api/auth/signout', undefined, owner);

    const session = await app.get('/api/auth/session', build.cookieOf(second.headers));
    assert.equal(session.status, 200);
  });

  it('writes the audit entry «logout» of the session', async () => {
    const business = await build.business();
    const { tenantId } = business;
    const session = await app.deps.withTenant(tenantId, (trx) => Session.query(trx).findOne({ tenantId }));

    await app.post('/api/auth/signout', undefined, business.owner);

    const actions = (await auditOf(business, session?.id ?? '')).map(({ action }) => action);
    assert.deepEqual(actions, ['login', 'logout']);
  });

  it('does not revoke an API key', async () => {
    const business = await build.business();
    const { as } = await build.member(business);

    const res = await app.post('/api/auth/signout', undefined, as);

    assert.equal(res.status, 200);
    assert.equal((await app.get('/api/auth/session', as)).status, 200);
  });
});
