import assert from 'node:assert/strict';
import { hashToken, newToken } from '../../adapters/crypto/tokens.ts';
import { newId } from '../../db/ids.ts';
import { Mail } from '../../db/models/mail.ts';
import { OneTimeToken } from '../../db/models/one-time-token.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { User } from '../../db/models/user.ts';
import * as build from './build.ts';
import { auditOf } from './stored.ts';
import { type Credential, ownService, type Service, service } from './service.ts';

const { PASSWORD: password } = build;

describe('Confirmation of the e-mail address', () => {
  let app: Service;
  before(async () => {
    await service();
    app = await ownService({ EMAIL_VERIFICATION: 'required', SIGNUP_PLAN: 'PRO' });
  });

  const newAddress = () => `${newId()}@dueno.test`;
  const verify = (token: string) => app.post('/api/auth/verify-email', { token });
  const resend = (as: Credential) => app.post('/api/auth/verify-email/resend', undefined, as);
  const signIn = (email: string, typed = password) =>
    app.post('/api/auth/callback/credentials', { email, password: typed });

  interface Registered {
    readonly email: string;
    readonly tenantId: string;
    readonly userId: string;
    readonly owner: Credential;
  }

  async function register(email = newAddress(), typed = password): Promise<Registered> {
    const body = { businessName: 'Muebles', name: 'Diana', email, password: typed };
    const res = await app.post('/api/auth/register', body);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    const { tenantId, id: userId } = res.body.user;
    return { email, tenantId, userId, owner: build.cookieOf(res.headers) };
  }

  /** The token of the newest mail, which the worker would put into it. */
  const tokenOf = ({ tenantId }: Registered): Promise<string> =>
    app.deps.withTenant(tenantId, async (trx) => {
      const mail = await Mail.query(trx)
        .where({ tenantId, kind: 'email_verification' })
        .orderBy('createdAt', 'desc')
        .first()
        .throwIfNotFound();
      return app.deps.secrets.open(mail.tokenSealed ?? '', { purpose: 'one_time_token', rowId: mail.id });
    });
  const UNVERIFIED = [403, 'email_unverified', 'Confirme su correo electrónico para continuar'];

  it('a registration is signed in and mailed, and its token confirms it once', async () => {
    const business = await register();
    const token = await tokenOf(business);

    const responses = [await verify(token), await verify(token)];

    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.error]),
      [
        [200, undefined],
        [400, 'El enlace no es válido o ya venció'],
      ],
    );
    assert.equal(responses[0]?.headers.get('set-cookie'), null);
    const { tenantId, userId } = business;
    const { user, tenant } = await app.deps.withTenant(tenantId, async (trx) => ({
      user: await User.query(trx).findOne({ tenantId, id: userId }),
      tenant: await Tenant.query(trx).findById(tenantId),
    }));
    assert.ok(user?.emailVerifiedAt && tenant?.isVerified);
  });

  it('afterwards routes that give access are open', async () => {
    const business = await register();
    const key = () => app.post('/api/api-keys', { name: 'Contabilidad' }, business.owner);
    assert.equal((await key()).status, 403);

    await verify(await tokenOf(business));

    assert.equal((await key()).status, 201);
  });

  it('until then an automation that mails answers 403, and one that notifies 201', async () => {
    const { owner } = await register();
    const create = (action: object) =>
      app.post('/api/automations', { name: 'Avisar', trigger: 'QUOTE_CREATED', actions: [action] }, owner);

    const mailing = await create({ type: 'send_email', to: 'client', subject: 'Hola', body: 'Hola' });
    const notifying = await create({ type: 'send_notification', title: 'Nueva', body: 'Hay una' });

    assert.deepEqual([mailing.status, mailing.body.code, mailing.body.error], UNVERIFIED);
    assert.equal(notifying.status, 201);
    const { status, body } = await app.request('PATCH', `/api/automations/${notifying.body.id}`, {
      headers: owner,
      body: { actions: [{ type: 'send_email', to: 'client', subject: 'Hola', body: 'Hola' }] },
    });
    assert.deepEqual([status, body.code, body.error], UNVERIFIED);
  });

  it('does not reserve the address: a later registration replaces it, and its older link confirms nothing', async () => {
    const email = newAddress();
    const first = await register(email, 'la frase del primero');
    const second = await register(email, 'la frase del segundo');

    const responses = [await verify(await tokenOf(first)), await verify(await tokenOf(second))];

    assert.deepEqual(
      responses.map(({ status }) => status),
      [400, 200],
    );
    assert.equal((await signIn(email, 'la frase del primero')).status, 401);
    const signedIn = await signIn(email, 'la frase del segundo');
    assert.equal(signedIn.body.user.tenantId, second.tenantId);
    const third = await app.post('/api/auth/register', { businessName: 'Otra', name: 'Eva', email, password });
    assert.deepEqual([third.status, third.body.error], [409, 'El correo ya está registrado']);
  });

  it('of registrations and confirmations of one address at once, one business has it', async () => {
    const email = newAddress();
    const registered = await Promise.all(Array.from({ length: 5 }, () => register(email)));
    const tokens = await Promise.all(registered.map(tokenOf));

    const responses = await Promise.all(tokens.map(verify));

    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
  });

  it('ends after a day: neither session nor password nor link are valid', async () => {
    const business = await register();
    const { tenantId, email, owner } = business;
    const token = await tokenOf(business);
    const yesterday = new Date(Date.now() - 24 * 3600_000 - 1000);
    await app.deps.withTenant(tenantId, async (trx) => {
      await Tenant.query(trx).findById(tenantId).patch({ createdAt: yesterday });
      await User.query(trx).where({ tenantId }).patch({ createdAt: yesterday });
      await OneTimeToken.query(trx)
        .where({ tenantId })
        .patch({ expiresAt: new Date(Date.now() - 1000) });
    });

    const statuses = [
      (await app.get('/api/auth/session', owner)).status,
      (await signIn(email)).status,
      (await verify(token)).status,
    ];

    assert.deepEqual(statuses, [401, 401, 400]);
  });

  it('resend mails another link, ends the one before, and answers 429 after three', async () => {
    const business = await register();
    const first = await tokenOf(business);

    const responses = [];
    for (let time = 0; time < 4; time += 1) responses.push(await resend(business.owner));

    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200, 429],
    );
    assert.equal(responses[3]?.body.reason, 'verification_limit_reached');
    assert.equal((await verify(first)).status, 400);
    const audit = await auditOf(business, business.userId);
    assert.equal(audit.filter(({ action }) => action === 'email_verification_sent').length, 3);
    assert.equal((await verify(await tokenOf(business))).status, 200);
    assert.equal((await resend(business.owner)).status, 200);
  });

  for (const kind of ['password_reset', 'invitation'] as const) {
    it(`answers 400 to the token of a mail of the kind ${kind}`, async () => {
      const { tenantId, userId } = await register();
      const token = newToken();
      await app.deps.withTenant(tenantId, (trx) =>
        OneTimeToken.query(trx).insert({
          id: newId(),
          tenantId,
          userId,
          kind,
          hash: hashToken(token),
          expiresAt: new Date(Date.now() + 60_000),
        }),
      );

      assert.equal((await verify(token)).status, 400);
    });
  }

  it('a reset by mail confirms the address too', async () => {
    const business = await register();
    const { tenantId, userId } = business;
    const token = newToken();
    await app.deps.withTenant(tenantId, (trx) =>
      OneTimeToken.query(trx).insert({
        id: newId(),
        tenantId,
        userId,
        kind: 'password_reset',
        hash: hashToken(token),
        expiresAt: new Date(Date.now() + 60_000),
      }),
    );

    const res = await app.post('/api/auth/reset-password', { token, password: 'otra frase más larga' });

    assert.equal(res.status, 200);
    const { isVerified } = await app.deps.withTenant(tenantId, (trx) =>
      Tenant.query(trx).findById(tenantId).throwIfNotFound(),
    );
    assert.equal(isVerified, true);
  });

  it('an invitation does not reserve its address, and cannot be accepted once another account has it', async () => {
    const business = await build.business();
    const email = newAddress();
    const invited = await app.post('/api/collaborators', { email, name: 'Carlos' }, business.owner);
    assert.equal(invited.status, 201);
    const invitation = await app.deps.withTenant(business.tenantId, async (trx) => {
      const mail = await Mail.query(trx).findOne({ userId: invited.body.id }).throwIfNotFound();
      return app.deps.secrets.open(mail.tokenSealed ?? '', { purpose: 'one_time_token', rowId: mail.id });
    });
    const registered = await register(email);

    assert.equal((await verify(await tokenOf(registered))).status, 200);
    const accepted = await app.post('/api/auth/accept-invitation', { token: invitation, password });

    assert.deepEqual([accepted.status, accepted.body.error], [409, 'El correo ya está registrado']);
    const third = await build.business();
    const other = await app.post('/api/collaborators', { email, name: 'Carlos' }, third.owner);
    assert.deepEqual([other.status, other.body.error], [409, 'El correo ya está registrado']);
  });
});
