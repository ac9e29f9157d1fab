import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { Mail } from '../../db/models/mail.ts';
import { User } from '../../db/models/user.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

const NEW_PASSWORD = 'otra frase más larga';

describe('Sessions and password of a user', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const list = (as: Credential) => app.get('/api/auth/sessions', as);
  const close = (id: string, as: Credential) => app.request('DELETE', `/api/auth/sessions/${id}`, { headers: as });
  const change = (body: object, as: Credential) => app.post('/api/auth/change-password', body, as);
  const mailsOf = ({ tenantId }: build.Business) =>
    app.deps.withTenant(tenantId, (trx) => Mail.query(trx).where({ tenantId }).orderBy('createdAt'));

  /** A further session of the business's owner. */
  async function signIn(
    { email }: build.Business,
    password = build.PASSWORD,
    userAgent = 'Navegador/1',
  ): Promise<Credential> {
    const res = await app.request('POST', '/api/auth/callback/credentials', {
      body: { email, password },
      headers: { 'User-Agent': userAgent },
    });
    assert.equal(res.status, 200, JSON.stringify(res.body));
    return { Cookie: String(res.headers.get('set-cookie')).split(';')[0] ?? '' };
  }

  /** Gives a member the password that the owner of another business has. */
  async function setPassword({ tenantId }: build.Business, userId: string, like: build.Business): Promise<void> {
    const { passwordHash } = await app.deps.withTenant(like.tenantId, (trx) =>
      User.query(trx).findOne({ tenantId: like.tenantId, id: like.userId }).throwIfNotFound(),
    );
    await app.deps.withTenant(tenantId, (trx) =>
      User.query(trx).findOne({ tenantId, id: userId }).patch({ passwordHash }),
    );
  }

  it('GET lists the live sessions of the caller with their source, and marks the current one', async () => {
    const business = await build.business();
    const other = await signIn(business, undefined, 'Teléfono/2');

    const res = await list(other);

    assert.equal(res.status, 200);
    assert.equal(res.body.length, 2);
    const [current] = res.body.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    assert.deepEqual([current.userAgent, current.ip], ['Teléfono/2', '127.0.0.1']);
    assert.ok(Date.parse(current.lastSeenAt) >= Date.parse(current.createdAt));
  });

  it('DELETE ends that session immediately, once, and no other', async () => {
    const business = await build.business();
    const other = await signIn(business);
    const own = (await list(other)).body.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);

    const res = await close(own.id, business.owner);

    assert.deepEqual([res.status, res.body], [200, { ok: true }]);
    assert.equal((await list(other)).status, 401);
    assert.equal((await list(business.owner)).body.length, 1);
    const again = await close(own.id, business.owner);
    assert.deepEqual([again.status, again.body.error], [404, 'Sesión no encontrada']);
    assert.deepEqual(
      (await auditOf(business, own.id)).map(({ action }) => action),
      ['login', 'logout'],
    );
  });

  it('DELETE answers 404 to a session of another member', async () => {
    const business = await build.business();
    const other = await build.business();
    const [session] = (await list(business.owner)).body;
    const member = await build.member(business);
    const email = `${member.userId}@colaborador.test`;
    await setPassword(business, member.userId, other);

    const responses = [
      await close(session.id, await signIn({ ...business, email })),
      await close(session.id, other.owner),
    ];

    for (const res of responses) assert.deepEqual([res.status, res.body.error], [404, 'Sesión no encontrada']);
    assert.equal((await list(business.owner)).status, 200);
  });

  it('signout-everywhere ends all sessions of the caller, and no key', async () => {
    const business = await build.business();
    const other = await signIn(business);
    const { key } = (await app.post('/api/api-keys', { name: 'Contabilidad' }, business.owner)).body;

    const res = await app.post('/api/auth/signout-everywhere', undefined, other);

    assert.deepEqual([res.status, res.body], [200, { ok: true }]);
    assert.deepEqual([(await list(business.owner)).status, (await list(other)).status], [401, 401]);
    const { rows } = await app.deps.withTenant(business.tenantId, (trx) =>
      trx.raw<{ rows: { metadata: string }[] }>("select metadata::text from audit_logs where action = 'logout'"),
    );
    assert.equal(rows.length, 1);
    assert.equal((await app.get('/api/clients', { Authorization: `Bearer ${key}` })).status, 200);
  });

  it('answers 403 «Sin permisos» with scope_required to a key on every one of these routes', async () => {
    const { owner } = await build.business();
    const { key } = (await app.post('/api/api-keys', { name: 'Contabilidad' }, owner)).body;
    const as = { Authorization: `Bearer ${key}` };

    const responses = [
      await list(as),
      await close(newId(), as),
      await app.post('/api/auth/signout-everywhere', undefined, as),
      await change({ currentPassword: build.PASSWORD, newPassword: NEW_PASSWORD }, as),
    ];

    for (const { status, body } of responses) {
      assert.deepEqual([status, body.error, body.code], [403, 'Sin permisos', 'scope_required']);
    }
  });

  describe('POST /api/auth/change-password', () => {
    it('sets the password, ends the other sessions, keeps the current one, and mails the user', async () => {
      const business = await build.business();
      const other = await signIn(business);

      const res = await change({ currentPassword: build.PASSWORD, newPassword: NEW_PASSWORD }, other);

      assert.deepEqual([res.status, res.body], [200, { ok: true }]);
      assert.equal((await list(business.owner)).status, 401);
      assert.equal((await list(other)).status, 200);
      await signIn(business, NEW_PASSWORD);
      const [mail] = await mailsOf(business);
      assert.deepEqual([mail?.kind, mail?.userId], ['password_changed', business.userId]);
      const audit = await auditOf(business, business.userId);
      assert.ok(audit.some(({ action }) => action === 'password_change'));
      assert.ok(!JSON.stringify(audit).includes(NEW_PASSWORD));
    });

    it('answers 400 to a wrong current password, and changes nothing', async () => {
      const business = await build.business();

      const res = await change({ currentPassword: 'no es esta', newPassword: NEW_PASSWORD }, business.owner);

      assert.deepEqual([res.status, res.body.details], [400, [{ path: 'currentPassword', message: 'no es correcta' }]]);
      await signIn(business);
      assert.deepEqual(await mailsOf(business), []);
    });

    it('answers 400 to a common or short new password', async () => {
      const { owner } = await build.business();

      for (const newPassword of ['corta', 'password123']) {
        const res = await change({ currentPassword: build.PASSWORD, newPassword }, owner);
        assert.equal(res.status, 400, newPassword);
      }
    });

    it('of two at once, changes it once', async () => {
      const business = await build.business();
      const both = ['frase número uno larga', 'frase número dos larga'];

      const responses = await Promise.all(
        both.map((newPassword) => change({ currentPassword: build.PASSWORD, newPassword }, business.owner)),
      );

      assert.deepEqual(
        responses.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 400],
      );
      await signIn(business, both[responses.findIndex(({ status }) => status === 200)]);
    });
  });
});
