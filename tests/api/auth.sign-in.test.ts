import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { User } from '../../db/models/user.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

describe('POST /api/auth/callback/credentials', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const signIn = (email: string, password: string) => app.post('/api/auth/callback/credentials', { email, password });

  it('answers 200 with the session and sets its cookie', async () => {
    const { email, userId } = await build.business();

    const res = await signIn(email, build.PASSWORD);

    assert.equal(res.status, 200);
    assert.equal(res.body.user.id, userId);
    const session = await app.get('/api/auth/session', build.cookieOf(res.headers));
    assert.equal(session.status, 200);
  });

  it('accepts the address in another letter case', async () => {
    const { email } = await build.business();

    const res = await signIn(email.toUpperCase(), build.PASSWORD);

    assert.equal(res.status, 200);
  });

  it('answers 401 «No autorizado» to an address with İ for i, because only A–Z are case-folded', async () => {
    const email = `ana.${newId()}@libre.test`;
    const owner = { businessName: 'Acme', name: 'Ana', email, password: build.PASSWORD };
    assert.equal((await app.post('/api/auth/register', owner)).status, 201);

    const responses = [
      await signIn(email.replace('libre', 'lİbre'), build.PASSWORD),
      await signIn(email.replace('libre', 'LIBRE'), build.PASSWORD),
    ];

    assert.deepEqual(
      responses.map(({ status }) => status),
      [401, 200],
    );
  });

  it('accepts a password with an accent in either Unicode form', async () => {
    const email = `${newId()}@dueno.test`;
    const owner = { businessName: 'Acme', name: 'Diana', email, password: 'contraseña larga'.normalize('NFC') };
    await app.post('/api/auth/register', owner);

    const res = await signIn(email, 'contraseña larga'.normalize('NFD'));

    assert.equal(res.status, 200);
  });

  it('accepts an existing common password', async () => {
    const { email, tenantId, userId } = await build.business();
    const passwordHash = await app.deps.passwords.hash('password', { key: 'tests' });
    await app.deps.withTenant(tenantId, (trx) =>
      User.query(trx).findOne({ tenantId, id: userId }).patch({ passwordHash }),
    );

    const res = await signIn(email, 'password');

    assert.equal(res.status, 200);
  });

  it('updates lastLoginAt', async () => {
    const { email, tenantId, userId } = await build.business();
    const before = new Date();

    await signIn(email, build.PASSWORD);

    const user = await app.deps.withTenant(tenantId, (trx) => User.query(trx).findOne({ tenantId, id: userId }));
    assert.ok((user?.lastLoginAt ?? 0) >= before);
  });

  it('answers 401 «No autorizado» and no cookie to a wrong password', async () => {
    const { email } = await build.business();

    const res = await signIn(email, 'otra frase larga');

    assert.equal(res.status, 401);
    assert.deepEqual([res.body.error, res.body.code], ['No autorizado', 'unauthenticated']);
    assert.deepEqual(res.headers.getSetCookie(), []);
  });

  it('answers 401 «No autorizado» to an unknown address', async () => {
    const res = await signIn(`${newId()}@nadie.test`, build.PASSWORD);

    assert.equal(res.status, 401);
    assert.equal(res.body.error, 'No autorizado');
  });

  it('answers 401 «No autorizado» to a malformed address', async () => {
    const res = await signIn("' or 1=1 --", build.PASSWORD);

    assert.equal(res.status, 401);
  });

  it('answers 401 «No autorizado» to a deactivated user with the right password', async () => {
    const { email, tenantId, userId } = await build.business();
    await app.deps.withTenant(tenantId, (trx) =>
      User.query(trx).findOne({ tenantId, id: userId }).patch({ isActive: false }),
    );

    const res = await signIn(email, build.PASSWORD);

    assert.equal(res.status, 401);
    assert.equal(res.body.error, 'No autorizado');
  });

  it('answers 401 «No autorizado» to an invited user without a password', async () => {
    const business = await build.business();
    const { userId } = await build.member(business);

    const res = await signIn(`${userId}@colaborador.test`, build.PASSWORD);

    assert.equal(res.status, 401);
  });
});
