import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { User } from '../../db/models/user.ts';
import * as build from './build.ts';
import { ownService, type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

describe('POST /api/auth/register', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const newBusiness = (fields: Record<string, unknown> = {}) => ({
    businessName: 'Ferretería La Palma',
    name: 'Diana Ruiz',
    email: `${newId()}@dueno.test`,
    password: build.PASSWORD,
    ...fields,
  });
  const register = (fields: Record<string, unknown> = {}) => app.post('/api/auth/register', newBusiness(fields));

  it('answers 201 with the owner, the plan of SIGNUP_PLAN and the session’s expiry', async () => {
    const email = `${newId()}@dueno.test`;

    const res = await register({ email });

    assert.equal(res.status, 201);
    const { id, tenantId, ...user } = res.body.user;
    assert.deepEqual(user, { email, name: 'Diana Ruiz', role: 'OWNER', plan: 'PRO' });
    assert.match(id, /^c[a-z0-9]{24}$/);
    assert.match(tenantId, /^c[a-z0-9]{24}$/);
    const inSevenDays = Date.now() + 7 * 24 * 3600 * 1000;
    assert.ok(Math.abs(Date.parse(res.body.expires) - inSevenDays) < 60_000, res.body.expires);
  });

  it('sets a valid session cookie with HttpOnly, SameSite=Lax and Path=/', async () => {
    const res = await register();

    const [cookie = ''] = res.headers.getSetCookie();
    assert.match(cookie, /^quoting\.session-token=[\w.-]+; path=\/; expires=[^;]+; samesite=lax; httponly$/i);
    const session = await app.get('/api/auth/session', build.cookieOf(res.headers));
    assert.equal(session.body.user.id, res.body.user.id);
  });

  it('the cookie is encrypted and reveals no ids', async () => {
    const res = await register();

    const [header = ''] = (res.headers.getSetCookie()[0] ?? '').replace(/^[^=]+=/, '').split('.');
    const { alg, enc } = JSON.parse(Buffer.from(header, 'base64url').toString());
    assert.deepEqual({ alg, enc }, { alg: 'dir', enc: 'A256GCM' });
    assert.ok(!Buffer.from(res.headers.getSetCookie().join()).includes(res.body.user.id));
  });

  it('stores an argon2id hash of 19 MiB and two passes, never the password', async () => {
    const res = await register();

    const { id, tenantId } = res.body.user;
    const user = await app.deps.withTenant(tenantId, (trx) => User.query(trx).findOne({ tenantId, id }));
    assert.match(user?.passwordHash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('writes the audit entries «create» of the tenant and «login» of the session', async () => {
    const { tenantId, userId } = await build.business();

    const [created] = await auditOf({ tenantId }, tenantId);

    assert.deepEqual(
      { action: created?.action, entity: created?.entity, userId: created?.userId },
      { action: 'create', entity: 'tenant', userId },
    );
  });

  it('answers 409 «El correo ya está registrado» to an address that has an account', async () => {
    const { email } = await build.business();

    const res = await register({ email });

    assert.equal(res.status, 409);
    assert.equal(res.body.error, 'El correo ya está registrado');
    assert.equal(res.body.code, 'conflict');
    assert.deepEqual(res.headers.getSetCookie(), []);
  });

  it('answers 409 «El correo ya está registrado» to the same address in another letter case and with spaces', async () => {
    const { email } = await build.business();

    const res = await register({ email: ` ${email.toUpperCase()} ` });

    assert.equal(res.status, 409);
    assert.equal(res.body.error, 'El correo ya está registrado');
  });

  it('exactly one of ten concurrent registrations of an address succeeds, the others get 409', async () => {
    const email = `${newId()}@dueno.test`;

    const responses = await Promise.all(Array.from({ length: 10 }, () => register({ email })));

    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [201, ...Array.from({ length: 9 }, () => 409)]);
  });

  const COMMON = 'password: es una contraseña demasiado común; elija otra';
  for (const [error, fields] of [
    ['email: debe ser un correo electrónico válido', { email: 'diana arroba acme' }],
    ['password: debe tener al menos 8 caracteres', { password: 'corta77' }],
    ['password: debe tener como máximo 128 caracteres', { password: 'x'.repeat(129) }],
    ['password: debe tener al menos 8 caracteres', { password: '123456' }],
    [COMMON, { password: '12345678' }],
    [COMMON, { password: 'password' }],
    [COMMON, { password: 'PassWord' }],
    [COMMON, { password: 'Iloveyou' }],
    [COMMON, { password: ' qwertyuiop ' }],
    [COMMON, { password: 'contraseña' }],
    [COMMON, { password: 'CONTRASEN\u0303A' }],
    ['businessName: debe tener al menos 2 caracteres', { businessName: '  A  ' }],
  ] as const) {
    it(`answers 400 «${error}» to ${JSON.stringify(fields).slice(0, 40)}`, async () => {
      const res = await register(fields);

      assert.deepEqual([res.status, res.body.error], [400, error]);
    });
  }

  it('accepts a password that contains a common one', async () => {
    const res = await register({ password: 'password y algo más' });

    assert.equal(res.status, 201);
  });

  it('ignores plan, role and tenantId in the body', async () => {
    const other = await build.business();

    const res = await register({ plan: 'FREE', role: 'COLLABORATOR', tenantId: other.tenantId });

    assert.equal(res.body.user.plan, 'PRO');
    assert.equal(res.body.user.role, 'OWNER');
    assert.notEqual(res.body.user.tenantId, other.tenantId);
  });

  it('answers 403 «El registro está cerrado» where REGISTRATION is closed, and creates nothing', async () => {
    const closed = await ownService({ REGISTRATION: 'closed' });
    const body = newBusiness();

    const res = await closed.post('/api/auth/register', body);

    assert.deepEqual(
      [res.status, res.body.code, res.body.error],
      [403, 'registration_closed', 'El registro está cerrado'],
    );
    assert.equal(await app.deps.lookups.userByEmail(body.email), undefined);
  });
});
