import assert from 'node:assert/strict';
import { hashToken, newToken } from '../../adapters/crypto/tokens.ts';
import { newId } from '../../db/ids.ts';
import { OneTimeToken } from '../../db/models/one-time-token.ts';
import { Session } from '../../db/models/session.ts';
import { User } from '../../db/models/user.ts';
import * as build from './build.ts';
import { ownService, type Response, type Service, service } from './service.ts';

const SIGN_INS = 14;
const NEW_PASSWORD = 'otra frase más larga';

/** An API whose sign-ins wait between the password verification and the session until `open` is called. */
async function pausedService(): Promise<{ app: Service; verified: () => Promise<void>; open: () => void }> {
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  let allVerified = () => {};
  const verified = new Promise<void>((resolve) => (allVerified = resolve));
  let right = 0;
  const app = await ownService({}, (deps) => ({
    ...deps,
    passwords: {
      ...deps.passwords,
      async verify(...args) {
        const isRight = await deps.passwords.verify(...args);
        if (isRight && (right += 1) === SIGN_INS) allVerified();
        await gate;
        return isRight;
      },
    },
  }));
  return { app, verified: () => verified, open };
}

describe('Sign-ins concurrent with a change of the account', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const signInAt = (at: Service, { email }: build.Business) =>
    at.post('/api/auth/callback/credentials', { email, password: build.PASSWORD });
  const liveSessions = ({ tenantId }: build.Business) =>
    app.deps.withTenant(tenantId, (trx) => Session.query(trx).where({ tenantId }).whereNull('revokedAt').resultSize());
  const stillValid = async (responses: readonly Response[]) => {
    const asked = await Promise.all(
      responses.map(({ headers }) => app.get('/api/auth/session', build.cookieOf(headers))),
    );
    return asked.filter(({ status }) => status === 200).length;
  };

  async function reset({ tenantId, userId }: build.Business): Promise<Response> {
    const token = newToken();
    const row = { id: newId(), tenantId, userId, hash: hashToken(token), expiresAt: new Date(Date.now() + 60_000) };
    await app.deps.withTenant(tenantId, (trx) => OneTimeToken.query(trx).insert({ ...row, kind: 'password_reset' }));
    return app.post('/api/auth/reset-password', { token, password: NEW_PASSWORD });
  }

  it('14 sign-ins verified before a password reset answer 401 and leave no valid session', async () => {
    const business = await build.business();
    const paused = await pausedService();

    const signIns = Promise.all(Array.from({ length: SIGN_INS }, () => signInAt(paused.app, business)));
    await paused.verified();
    const { status } = await reset(business);
    paused.open();
    const responses = await signIns;

    assert.equal(status, 200);
    assert.deepEqual(
      responses.map((response) => response.status),
      Array.from({ length: SIGN_INS }, () => 401),
    );
    assert.deepEqual([await liveSessions(business), await stillValid(responses)], [0, 0]);
  });

  it('14 sign-ins sent during a password reset leave no valid session', async () => {
    const business = await build.business();

    const before = Array.from({ length: SIGN_INS / 2 }, () => signInAt(app, business));
    const resetting = reset(business);
    const after = Array.from({ length: SIGN_INS / 2 }, () => signInAt(app, business));
    const responses = await Promise.all([...before, ...after]);

    assert.equal((await resetting).status, 200);
    assert.deepEqual([await liveSessions(business), await stillValid(responses)], [0, 0]);
  });

  it('14 sign-ins verified before a deactivation leave no valid session after reactivation', async () => {
    const business = await build.business();
    const { tenantId, userId } = business;
    const collaborator = await build.member(business, { role: 'OWNER' });
    const paused = await pausedService();
    const setActive = (isActive: boolean) => app.patch(`/api/collaborators/${userId}`, { isActive }, collaborator.as);
    await app.deps.withTenant(tenantId, (trx) =>
      User.query(trx).findOne({ tenantId, id: collaborator.userId }).patch({ passwordHash: 'somebody' }),
    );

    const signIns = Promise.all(Array.from({ length: SIGN_INS }, () => signInAt(paused.app, business)));
    await paused.verified();
    const deactivated = await setActive(false);
    paused.open();
    const responses = await signIns;
    const activated = await setActive(true);

    assert.deepEqual([deactivated.status, activated.status], [200, 200]);
    assert.deepEqual([await liveSessions(business), await stillValid(responses)], [0, 0]);
  });
});
