import assert from 'node:assert/strict';
import { hashToken, newToken } from '../../adapters/crypto/tokens.ts';
import { newId } from '../../db/ids.ts';
import { Mail } from '../../db/models/mail.ts';
import { OneTimeToken } from '../../db/models/one-time-token.ts';
import { User } from '../../db/models/user.ts';
import { useOneTimeToken } from '../../db/writes/one-time-tokens.ts';
import { rows } from '../worker/dispatcher-world.ts';
import { eventually } from '../eventually.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf, eventsOf } from './stored.ts';

const NEW_PASSWORD = 'otra frase más larga';

describe('One-time links of account mails', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const forgot = (email: string) => app.post('/api/auth/forgot-password', { email });
  const reset = (token: string, password = NEW_PASSWORD) => app.post('/api/auth/reset-password', { token, password });
  const accept = (body: object) => app.post('/api/auth/accept-invitation', { password: NEW_PASSWORD, ...body });

  /** Creates a token with its row, without a mail. */
  async function link(
    { tenantId, userId }: { tenantId: string; userId: string },
    fields: Partial<OneTimeToken> = {},
  ): Promise<string> {
    const token = newToken();
    const row = { id: newId(), tenantId, userId, hash: hashToken(token), expiresAt: new Date(Date.now() + 60_000) };
    await app.deps.withTenant(tenantId, (trx) =>
      OneTimeToken.query(trx).insert({ ...row, kind: 'password_reset', ...fields }),
    );
    return token;
  }

  async function invited(business: build.Business) {
    const email = `${newId()}@colaborador.test`;
    const res = await app.post('/api/collaborators', { email, name: 'Carlos' }, business.owner);
    assert.equal(res.status, 201);
    return { email, userId: String(res.body.id), tenantId: business.tenantId };
  }

  describe('POST /api/auth/forgot-password', () => {
    it('answers 200 {ok: true} for an unknown address, and no faster than for a known one', async () => {
      const { email } = await build.business();

      const [known, unknown] = [await timed(() => forgot(email)), await timed(() => forgot(`${newId()}@nadie.test`))];

      assert.deepEqual([known.res.status, unknown.res.status], [200, 200]);
      assert.deepEqual(known.res.body, unknown.res.body);
      assert.ok(unknown.ms >= 240 && known.ms >= 240, `${unknown.ms} and ${known.ms} ms`);
    });

    it('answers 200 {ok: true} for a malformed address', async () => {
      assert.deepEqual((await forgot("' or 1=1 --")).body, { ok: true });
    });

    it('writes one internal event whose payload has an id and no secret', async () => {
      const business = await build.business();

      await forgot(business.email);

      const events = await eventsOf(business);
      assert.deepEqual(
        events.map(({ type, body }) => [type, Object.keys(body.data)]),
        [['mail.requested', ['mailId']]],
      );
    });

    it('creates at most five links per account and hour', async () => {
      const business = await build.business();

      await Promise.all(Array.from({ length: 3 }, () => forgot(business.email)));
      await forgot(business.email);
      await forgot(business.email);
      await forgot(business.email);

      assert.equal((await eventsOf(business)).length, 5);
    });

    it('mails nothing to a deactivated user', async () => {
      const business = await build.business();
      const { userId } = await build.member(business);
      await patchUser(business, userId, { isActive: false });

      await forgot(`${userId}@colaborador.test`);

      assert.deepEqual(await eventsOf(business), []);
    });

    it('invalidates older links of the same kind and no others', async () => {
      const business = await build.business();
      const other = await build.member(business);
      const older = await Promise.all([link(business), link(business)]);
      const invitation = await link(business, { kind: 'invitation' });
      const another = await link({ ...business, userId: other.userId });

      await forgot(business.email.toUpperCase());

      const responses = await Promise.all(older.map((token) => reset(token)));
      assert.deepEqual(
        responses.map(({ status, body }) => [status, body.error]),
        older.map(() => [400, 'El enlace no es válido o ya venció']),
      );
      assert.deepEqual([(await accept({ token: invitation })).status, (await reset(another)).status], [200, 200]);
    });

    it('leaves exactly one valid link after several requests', async () => {
      const business = await build.business();

      await Promise.all([forgot(business.email), forgot(business.email), forgot(business.email)]);

      const { tenantId } = business;
      const alive = await app.deps.withTenant(tenantId, (trx) =>
        OneTimeToken.query(trx).where({ tenantId }).whereNull('usedAt'),
      );
      assert.equal(alive.length, 1);
    });

    it('invalidates no link when the hourly limit is reached', async () => {
      const business = await build.business();
      for (let count = 0; count < 4; count += 1) await forgot(business.email);
      const newest = await link(business);

      await forgot(business.email);

      assert.equal((await reset(newest)).status, 200);
    });

    it('sends the invitation again to a user who has not accepted it', async () => {
      const business = await build.business();
      const { email, tenantId } = await invited(business);

      await forgot(email);

      const mails = await app.deps.withTenant(tenantId, (trx) => Mail.query(trx).where({ tenantId }));
      assert.deepEqual(
        mails.map(({ kind, status }) => [kind, status]),
        [
          ['invitation', 'PENDING'],
          ['invitation', 'PENDING'],
        ],
      );
    });
  });

  describe('POST /api/auth/reset-password', () => {
    const refused = async (token: string) => {
      const res = await reset(token);
      assert.deepEqual([res.status, res.body.error], [400, 'El enlace no es válido o ya venció']);
    };

    it('answers 400 «El enlace no es válido o ya venció» to an unknown token', () => refused(newToken()));

    it('answers 400 «El enlace no es válido o ya venció» to an expired token', async () => {
      const business = await build.business();

      await refused(await link(business, { expiresAt: new Date(Date.now() - 1) }));
    });

    it('answers 400 «El enlace no es válido o ya venció» to the token of an invitation', async () => {
      const business = await build.business();

      await refused(await link(business, { kind: 'invitation' }));
    });

    it('answers 400 «El enlace no es válido o ya venció» to the token of a deactivated user', async () => {
      const business = await build.business();
      const token = await link(business);
      await patchUser(business, business.userId, { isActive: false });

      await refused(token);
    });

    it('keeps the keys of the user, or revokes them with `revokeKeys`, and mails the user both times', async () => {
      const business = await build.business();
      const { tenantId, userId, owner } = business;
      const { key } = (await app.post('/api/api-keys', { name: 'Contabilidad' }, owner)).body;
      const other = await build.member(business);
      const statusOf = async (as: Credential) => (await app.get('/api/clients', as)).status;
      const as = { Authorization: `Bearer ${key}` };

      await reset(await link(business));
      assert.equal(await statusOf(as), 200);
      await app.post('/api/auth/reset-password', {
        token: await link(business),
        password: NEW_PASSWORD,
        revokeKeys: true,
      });

      assert.equal(await statusOf(as), 401);
      assert.equal(await statusOf(other.as), 200);
      const mails = await app.deps.withTenant(tenantId, (trx) => Mail.query(trx).where({ tenantId, userId }));
      assert.equal(mails.filter(({ kind }) => kind === 'password_changed').length, 2);
    });

    it('two concurrent requests with one token: exactly one succeeds', async () => {
      const business = await build.business();
      const { tokenId = '' } = (await app.deps.lookups.oneTimeToken(hashToken(await link(business)))) ?? {};
      const { withTenant } = app.deps;

      const { first, second } = await withTenant(business.tenantId, async (trx) => {
        const user = await useOneTimeToken(trx, tokenId, 'password_reset');
        const waiting = withTenant(business.tenantId, (other) => useOneTimeToken(other, tokenId, 'password_reset'));
        // The second transaction is waiting for the commit of the first.
        const [{ pid } = {}] = (await trx.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid')).rows;
        await eventually(async () => {
          const blocked = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
          assert.equal((await rows(blocked, pid)).length, 1);
        });
        return { first: user, second: () => waiting };
      });

      assert.deepEqual([first?.id, await second()], [business.userId, undefined]);
    });

    it('invalidates the other links of the user and writes an audit entry without the token', async () => {
      const business = await build.business();
      const [first, second] = [await link(business), await link(business)];

      await reset(first);

      await refused(second);
      const entries = await auditOf(business, business.userId);
      assert.deepEqual(
        entries.map(({ action, entity, metadata }) => [action, entity, metadata]),
        [['password_reset', 'collaborator', {}]],
      );
    });

    it('answers 200 {ok: true}, ends the sessions and replaces the password', async () => {
      const business = await build.business();
      const { email, owner } = business;
      const signIn = (password: string) => app.post('/api/auth/callback/credentials', { email, password });

      const res = await reset(await link(business));

      assert.deepEqual([res.status, res.body], [200, { ok: true }]);
      assert.equal((await app.get('/api/auth/session', owner)).status, 401);
      assert.equal((await signIn(build.PASSWORD)).status, 401);
      assert.equal((await signIn(NEW_PASSWORD)).status, 200);
    });

    it('keeps the API keys of the user', async () => {
      const business = await build.business();
      const { key } = (await app.post('/api/api-keys', { name: 'bot' }, business.owner)).body;

      await reset(await link(business));

      assert.equal((await app.get('/api/auth/session', { Authorization: `Bearer ${key}` })).status, 200);
    });

    it('answers 400 «password: es una contraseña demasiado común; elija otra» and keeps the link valid', async () => {
      const token = await link(await build.business());

      const res = await reset(token, 'Password123');

      assert.deepEqual([res.status, res.body.error], [400, 'password: es una contraseña demasiado común; elija otra']);
      assert.equal((await reset(token)).status, 200);
    });
  });

  describe('POST /api/auth/accept-invitation', () => {
    it('answers 400 «password: es una contraseña demasiado común; elija otra» and keeps the invitation valid', async () => {
      const business = await build.business();
      const { userId, tenantId } = await invited(business);
      const token = await link({ tenantId, userId }, { kind: 'invitation' });

      const res = await accept({ token, password: 'password1' });

      assert.deepEqual([res.status, res.body.error], [400, 'password: es una contraseña demasiado común; elija otra']);
      assert.equal((await accept({ token })).status, 200);
    });

    it('answers 400 «El enlace no es válido o ya venció» to the token of a reset and sets no cookie', async () => {
      const res = await accept({ token: await link(await build.business()) });

      assert.deepEqual([res.status, res.body.error], [400, 'El enlace no es válido o ya venció']);
      assert.deepEqual(res.headers.getSetCookie(), []);
    });

    it('answers 200 with session and cookie only once, and writes the audit entry «accept_invitation»', async () => {
      const business = await build.business();
      const { userId, tenantId } = await invited(business);
      const token = await link({ tenantId, userId }, { kind: 'invitation' });

      const [res, again] = [await accept({ token, name: 'Carlos Ruiz' }), await accept({ token })];

      assert.equal(res.status, 200);
      const { id, name, role } = res.body.user;
      assert.deepEqual([id, name, role, res.body.user.tenantId], [userId, 'Carlos Ruiz', 'COLLABORATOR', tenantId]);
      assert.equal((await app.get('/api/auth/session', build.cookieOf(res.headers))).status, 200);
      assert.deepEqual([again.status, again.body.error], [400, 'El enlace no es válido o ya venció']);
      const [invite, accepted] = await auditOf(business, userId);
      assert.deepEqual(
        [invite?.action, invite?.userId, accepted?.action, accepted?.userId],
        ['invite', business.userId, 'accept_invitation', userId],
      );
    });

    it('keeps the invited name when the body has none', async () => {
      const business = await build.business();
      const { userId, tenantId } = await invited(business);

      const res = await accept({ token: await link({ tenantId, userId }, { kind: 'invitation' }) });

      assert.equal(res.body.user.name, 'Carlos');
    });

    it('answers 400 «name: no puede estar vacío» to a blank name', async () => {
      const res = await accept({ token: newToken(), name: ' ' });

      assert.deepEqual([res.status, res.body.error], [400, 'name: no puede estar vacío']);
    });
  });

  const patchUser = ({ tenantId }: build.Business, userId: string, fields: Partial<User>) =>
    app.deps.withTenant(tenantId, (trx) => User.query(trx).findOne({ tenantId, id: userId }).patch(fields));
});

async function timed<T>(call: () => Promise<T>): Promise<{ res: T; ms: number }> {
  const startedAt = performance.now();
  const res = await call();
  return { res, ms: performance.now() - startedAt };
}
