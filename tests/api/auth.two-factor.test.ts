import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { Mail } from '../../db/models/mail.ts';
import { TwoFactor } from '../../db/models/two-factor.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

const STEP_MS = 30_000;
/** As an authenticator app makes it, some steps from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });

describe('Second factor of a sign-in', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const password = build.PASSWORD;
  const ask = (step: string, body: object, as: Credential) => app.post(`/api/auth/two-factor/${step}`, body, as);
  const state = (as: Credential) => app.get('/api/auth/two-factor', as);
  const signIn = ({ email }: build.Business, more: object = {}) =>
    app.post('/api/auth/callback/credentials', { email, password, ...more });
  const mailsOf = async ({ tenantId }: build.Business) =>
    (await app.deps.withTenant(tenantId, (trx) => Mail.query(trx).where({ tenantId }).orderBy('createdAt'))).map(
      ({ kind }) => kind,
    );

  /** A business whose owner has a second factor; the code of the current step is used. */
  async function protectedBusiness() {
    const business = await build.business();
    const { secret } = (await ask('setup', { password }, business.owner)).body;
    const { status, body } = await ask('enable', { password, code: codeOf(secret, -1) }, business.owner);
    assert.equal(status, 200, JSON.stringify(body));
    return { business, secret: String(secret), recoveryCodes: body.recoveryCodes as string[] };
  }

  it('setup answers a secret and its otpauth address, and changes no sign-in', async () => {
    const business = await build.business();

    const res = await ask('setup', { password }, business.owner);

    assert.equal(res.status, 200);
    assert.match(res.body.secret, /^[A-Z2-7]{32}$/);
    const url = new URL(res.body.otpauthUrl);
    assert.deepEqual([url.protocol, url.searchParams.get('secret')], ['otpauth:', res.body.secret]);
    assert.ok(decodeURIComponent(url.pathname).includes(business.email));
    assert.equal((await signIn(business)).status, 200);
    assert.deepEqual((await state(business.owner)).body, { enabled: false, recoveryCodesLeft: 0 });
    const { tenantId, userId } = business;
    const factor = await app.deps.withTenant(tenantId, (trx) => TwoFactor.query(trx).findOne({ tenantId, userId }));
    assert.ok(factor && !factor.secretSealed.includes(res.body.secret));
  });

  it('enable answers ten recovery codes, ends the other sessions, and from then on a sign-in needs a code', async () => {
    const business = await build.business();
    const other = build.cookieOf((await signIn(business)).headers);
    const { secret } = (await ask('setup', { password }, business.owner)).body;

    const res = await ask('enable', { password, code: codeOf(secret, -1) }, business.owner);

    assert.equal(res.status, 200);
    assert.equal(new Set(res.body.recoveryCodes).size, 10);
    assert.ok(res.body.recoveryCodes.every((code: string) => /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/.test(code)));
    assert.equal((await app.get('/api/auth/session', other)).status, 401);
    assert.deepEqual((await state(business.owner)).body, { enabled: true, recoveryCodesLeft: 10 });
    const refused = await signIn(business);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason, refused.body.error],
      [401, 'two_factor_required', 'two_factor_required', 'Se requiere el código de verificación'],
    );
    assert.equal(refused.headers.get('set-cookie'), null);
    assert.equal((await signIn(business, { code: codeOf(secret) })).status, 200);
    assert.ok((await auditOf(business, business.userId)).some(({ action }) => action === 'two_factor_enabled'));
  });

  it('a wrong password answers the same with and without a second factor, also with a right code', async () => {
    const { business, secret } = await protectedBusiness();
    const wrong = { password: 'no es la mía' };

    const responses = [
      await signIn(business, { ...wrong, code: codeOf(secret) }),
      await signIn(await build.business(), wrong),
    ];

    for (const { status, body } of responses)
      assert.deepEqual([status, body.code, body.error], [401, 'unauthenticated', 'No autorizado']);
  });

  it('accepts the codes of the steps before and after, each step once, and no older ones', async () => {
    const { business, secret } = await protectedBusiness();

    const reasons: unknown[] = [];
    for (const steps of [0, 0, 1, 0, 1, -2, 3])
      reasons.push((await signIn(business, { code: codeOf(secret, steps) })).body.reason);

    // Wrong codes stay below the five that lock.
    const wrong = 'two_factor_code_wrong';
    assert.deepEqual(reasons, [undefined, wrong, undefined, wrong, wrong, wrong, wrong]);
  });

  it('of twenty sign-ins with one code at once, one succeeds', async () => {
    const { business, secret } = await protectedBusiness();
    const code = codeOf(secret);

    const responses = await Promise.all(Array.from({ length: 20 }, () => signIn(business, { code })));

    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
  });

  it('of ten renewals of the recovery codes with one code at once, one succeeds', async () => {
    const { business, secret } = await protectedBusiness();
    const body = { password, code: codeOf(secret) };

    const responses = await Promise.all(Array.from({ length: 10 }, () => ask('recovery-codes', body, business.owner)));

    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
  });

  it('five wrong codes lock it for a quarter of an hour, also for the right code and recovery codes', async () => {
    const { business, secret, recoveryCodes } = await protectedBusiness();
    for (let time = 0; time < 5; time += 1) assert.equal((await signIn(business, { code: '000000' })).status, 401);

    const responses = [
      await signIn(business, { code: codeOf(secret) }),
      await signIn(business, { recoveryCode: recoveryCodes[0] }),
      await ask('disable', { password, code: codeOf(secret) }, business.owner),
    ];

    for (const { status, body, headers } of responses) {
      assert.deepEqual([status, body.reason], [429, 'two_factor_locked']);
      const seconds = Number(headers.get('Retry-After'));
      assert.ok(seconds > 800 && seconds <= 900, `${seconds} s`);
    }
    const { tenantId, userId } = business;
    await app.deps.withTenant(tenantId, (trx) =>
      TwoFactor.query(trx)
        .findOne({ tenantId, userId })
        .patch({ failuresSince: new Date(Date.now() - 15 * 60_000) }),
    );
    assert.equal((await signIn(business, { code: codeOf(secret) })).status, 200);
  });

  it('a recovery code signs in once, in any writing, and mails the user how many are left', async () => {
    const { business, recoveryCodes } = await protectedBusiness();
    const [code = ''] = recoveryCodes;

    const first = await signIn(business, { recoveryCode: code.toLowerCase().replaceAll('-', ' ') });
    const second = await signIn(business, { recoveryCode: code });

    assert.deepEqual([first.status, second.status], [200, 401]);
    assert.equal((await state(business.owner)).body.recoveryCodesLeft, 9);
    assert.deepEqual(await mailsOf(business), ['recovery_code_used']);
  });

  it('renewed recovery codes replace the old ones', async () => {
    const { business, secret, recoveryCodes } = await protectedBusiness();

    const res = await ask('recovery-codes', { password, code: codeOf(secret) }, business.owner);

    assert.equal(res.body.recoveryCodes.length, 10);
    assert.ok((await auditOf(business, business.userId)).some(({ action }) => action === 'recovery_codes_renewed'));
    assert.equal((await signIn(business, { recoveryCode: recoveryCodes[0] })).status, 401);
    assert.equal((await signIn(business, { recoveryCode: res.body.recoveryCodes[0] })).status, 200);
  });

  for (const kind of ['code', 'recoveryCode'] as const) {
    it(`disable with a ${kind} turns it off, and mails the user`, async () => {
      const { business, secret, recoveryCodes } = await protectedBusiness();
      const sent = kind === 'code' ? codeOf(secret) : recoveryCodes[0];

      const res = await ask('disable', { password, [kind]: sent }, business.owner);

      assert.deepEqual([res.status, res.body], [200, { ok: true }]);
      assert.equal((await signIn(business)).status, 200);
      assert.deepEqual(await mailsOf(business), ['two_factor_disabled']);
      assert.ok((await auditOf(business, business.userId)).some(({ action }) => action === 'two_factor_disabled'));
    });
  }

  it('answers 400 to a wrong password, a wrong code, and both or none of code and recoveryCode', async () => {
    const { business, secret } = await protectedBusiness();
    const code = codeOf(secret);

    const responses = [
      await ask('disable', { password: 'otra cosa', code }, business.owner),
      await ask('disable', { password, code: '123' }, business.owner),
      await ask('disable', { password, code, recoveryCode: 'ABCD-EFGH-IJKL-MNOP' }, business.owner),
      await ask('disable', { password }, business.owner),
      await ask('recovery-codes', { password, code: 'abcdef' }, business.owner),
    ];

    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.details?.[0]?.path]),
      [
        [400, 'password'],
        [400, 'code'],
        [400, 'code'],
        [400, 'code'],
        [400, 'code'],
      ],
    );
    assert.equal((await signIn(business)).body.code, 'two_factor_required');
  });

  it('answers 409 where it is on, off or not prepared', async () => {
    const { owner } = await build.business();
    const { business } = await protectedBusiness();

    const responses = [
      await ask('enable', { password, code: '123456' }, owner),
      await ask('recovery-codes', { password, code: '123456' }, owner),
      await ask('disable', { password, code: '123456' }, owner),
      await ask('setup', { password }, business.owner),
      await ask('enable', { password, code: '123456' }, business.owner),
    ];

    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.reason, body.error]),
      [
        [409, 'two_factor_not_set_up', 'Prepare primero la verificación en dos pasos'],
        [409, 'two_factor_not_enabled', 'La verificación en dos pasos no está activa'],
        [409, 'two_factor_not_enabled', 'La verificación en dos pasos no está activa'],
        [409, 'two_factor_already_enabled', 'La verificación en dos pasos ya está activa'],
        [409, 'two_factor_already_enabled', 'La verificación en dos pasos ya está activa'],
      ],
    );
  });
});
