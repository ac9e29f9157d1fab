import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { OneTimeToken } from '../../db/models/one-time-token.ts';
import { User } from '../../db/models/user.ts';
import { accountLink } from '../../domain/account-links.ts';
import * as build from '../api/build.ts';
import { ownService, type Service, service } from '../api/service.ts';
import { capturedLog } from '../captured-log.ts';
import { cookieIn, errorAt, fieldsIn, filled, open, submit, titleOf } from './browse.ts';
import { token, tokenMailed } from './links.ts';

const NEW_PASSWORD = 'otra frase más larga';
const DEAD = 'Este enlace ya no sirve';

describe('Pages of links in account mails', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  async function invited(business: build.Business) {
    const email = `${newId()}@colaborador.test`;
    const { status, body } = await app.post('/api/collaborators', { email, name: 'Carlos' }, business.owner);
    assert.equal(status, 201);
    return { email, userId: String(body.id), tenantId: business.tenantId };
  }

  const usedAtOf = ({ tenantId, userId }: { tenantId: string; userId: string }) =>
    app.deps.withTenant(tenantId, async (trx) =>
      (await OneTimeToken.query(trx).where({ tenantId, userId })).map(({ usedAt }) => usedAt),
    );

  const linkOf = (kind: 'invitation' | 'password_reset' | 'email_verification', of: string): string =>
    accountLink('', kind, of);

  it('an invitation is accepted by form and opens a session', async () => {
    const person = await invited(await build.business());
    const form = await open(linkOf('invitation', await tokenMailed(app, person, 'invitation')));

    const accepted = await submit('/invitation', filled(form.html, { name: 'Carlos Vela', password: NEW_PASSWORD }));
    const start = await open('/app', cookieIn(accepted.headers));

    assert.equal(form.status, 200);
    assert.deepEqual([accepted.status, accepted.headers.get('Location')], [303, '/app?notice=invitation_accepted']);
    assert.equal(titleOf(start.html), 'Hola, Carlos Vela');
  });

  it('a password is reset by form; sessions end, none opens', async () => {
    const business = await build.business();
    const form = await open(linkOf('password_reset', await token(business, { kind: 'password_reset' })));

    const saved = await submit('/reset-password', filled(form.html, { password: NEW_PASSWORD }));
    const after = await open('/login?notice=password_reset');
    const signedIn = await submit('/login', { email: business.email, password: NEW_PASSWORD });

    assert.deepEqual([saved.status, saved.headers.get('Location')], [303, '/login?notice=password_reset']);
    assert.match(after.html, /todas sus sesiones se cerraron/);
    assert.equal((await open('/app', business.owner)).status, 303);
    assert.equal(signedIn.status, 303);
  });

  it('a registration is confirmed by form', async () => {
    const business = await build.business({ isVerified: false });
    await app.deps.withTenant(business.tenantId, (trx) =>
      User.query(trx).findById(business.userId).patch({ emailVerifiedAt: null }),
    );
    const form = await open(linkOf('email_verification', await token(business, { kind: 'email_verification' })));

    const confirmed = await submit('/verify-email', fieldsIn(form.html), { as: business.owner });
    const start = await open('/app?notice=email_verified', business.owner);

    assert.deepEqual([confirmed.status, confirmed.headers.get('Location')], [303, '/app?notice=email_verified']);
    assert.ok(start.html.includes('Su correo está confirmado.') && !start.html.includes('Confirme su correo'));
  });

  for (const [path, kind] of [
    ['/invitation', 'invitation'],
    ['/reset-password', 'password_reset'],
    ['/verify-email', 'email_verification'],
  ] as const) {
    describe(path, () => {
      const use = (of: string) => submit(path, { token: of, password: NEW_PASSWORD });
      const anotherKind = kind === 'invitation' ? 'password_reset' : 'invitation';

      it('GET and HEAD do not use the token', async () => {
        const business = await build.business();
        const link = linkOf(kind, await token(business, { kind }));

        const responses = [await open(link), await app.request('HEAD', link), await open(link)];

        assert.deepEqual(
          responses.map(({ status }) => status),
          [200, 200, 200],
        );
        assert.ok((await usedAtOf(business)).every((usedAt) => usedAt === null));
      });

      it('the page sends no referrer, is not stored and loads nothing from elsewhere', async () => {
        const { headers, html } = await open(linkOf(kind, await token(await build.business(), { kind })));

        assert.equal(headers.get('Referrer-Policy'), 'no-referrer');
        assert.equal(headers.get('Cache-Control'), 'no-store');
        assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\//);
      });

      it('answers 400 with the same page to a token that is unknown, expired, of another purpose or too long', async () => {
        const person = await build.business();
        const tokens = [
          'A'.repeat(43),
          'x'.repeat(200),
          await token(person, { kind, expiresAt: new Date(Date.now() - 1000) }),
          await token(person, { kind: anotherKind }),
        ];

        for (const each of tokens) {
          const { status, html } = await use(each);
          assert.deepEqual([status, titleOf(html)], [400, DEAD]);
        }
      });

      it('answers 400 to a token that was used', async () => {
        const person = await build.business();
        const of = await token(person, { kind });

        const [first, second] = [await use(of), await use(of)];

        assert.deepEqual([first.status, second.status, titleOf(second.html)], [303, 400, DEAD]);
      });

      it('refuses the form of another origin and keeps the token', async () => {
        const person = await build.business();
        const of = await token(person, { kind });

        const statuses = await Promise.all(
          [{ Origin: 'null' }, { 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://malo.example' }].map(
            async (headers) => (await submit(path, { token: of, password: NEW_PASSWORD }, { headers })).status,
          ),
        );

        assert.deepEqual(statuses, [403, 403, 403]);
        assert.deepEqual(await usedAtOf(person), [null]);
      });
    });
  }

  it('answers 400 to the token of an older mail; the newest works', async () => {
    const business = await build.business();
    await submit('/forgot-password', { email: business.email });
    const older = await tokenMailed(app, business, 'password_reset');
    await submit('/forgot-password', { email: business.email });
    const newest = await tokenMailed(app, business, 'password_reset');
    assert.notEqual(older, newest);

    const [first, second] = [
      await submit('/reset-password', { token: older, password: NEW_PASSWORD }),
      await submit('/reset-password', { token: newest, password: NEW_PASSWORD }),
    ];

    assert.deepEqual([first.status, titleOf(first.html), second.status], [400, DEAD, 303]);
  });

  it('a refused password keeps the token for the next attempt, and not the password', async () => {
    const of = await token(await build.business(), { kind: 'password_reset' });

    const refused = await submit('/reset-password', { token: of, password: 'password' });
    const saved = await submit('/reset-password', filled(refused.html, { password: NEW_PASSWORD }));

    assert.equal(refused.status, 400);
    assert.ok(errorAt(refused.html, 'password'));
    assert.ok(!refused.html.includes('value="password"'));
    assert.equal(saved.status, 303);
  });

  it('a link without a token leads to the way to get another one', async () => {
    const [invitation, reset, verification] = await Promise.all(
      ['/invitation', '/reset-password', '/verify-email'].map((path) => open(path)),
    );

    assert.deepEqual([invitation?.status, titleOf(invitation?.html ?? '')], [400, DEAD]);
    assert.deepEqual([reset?.status, titleOf(reset?.html ?? '')], [400, DEAD]);
    assert.equal(verification?.headers.get('Location'), '/verify-email/resend');
  });

  it('the address of a request is in no line of the log, also when the page fails', async () => {
    const { lines, log } = capturedLog('trace');
    const logged = await ownService({ LOG_LEVEL: 'trace' }, (deps) => ({
      ...deps,
      log,
      lookups: { ...deps.lookups, oneTimeToken: () => Promise.reject(new Error('the look-up failed')) },
    }));
    const secret = `canario${newId()}`;

    await logged.get(`/reset-password?token=${secret}`);
    const failed = await submit('/reset-password', { token: secret, password: NEW_PASSWORD }, { app: logged });

    assert.equal(failed.status, 500);
    const requests = lines.filter((line) => line.includes('/reset-password'));
    assert.ok(requests.length >= 2, lines.join(''));
    assert.ok(!lines.join('').includes(secret));
  });
});

describe('/forgot-password', () => {
  it('answers the same page for a known and an unknown address', async () => {
    const { email } = await build.business();

    const known = await submit('/forgot-password', { email });
    const unknown = await submit('/forgot-password', { email: `${newId()}@nadie.test` });

    assert.deepEqual([known.status, titleOf(known.html)], [200, 'Revise su correo']);
    assert.equal(known.html, unknown.html);
  });
});

describe('/register', () => {
  const FIELDS = { businessName: 'Muebles Roble', name: 'Diana Ríos', password: NEW_PASSWORD };

  it('creates the business and opens a session', async () => {
    const { html } = await open('/register');

    const made = await submit('/register', filled(html, { ...FIELDS, email: `${newId()}@dueno.test` }));
    const start = await open('/app?notice=registered', cookieIn(made.headers));

    assert.deepEqual([made.status, made.headers.get('Location')], [303, '/app?notice=registered']);
    assert.equal(titleOf(start.html), 'Hola, Diana Ríos');
  });

  it('answers 400 with the messages beside the fields, and 409 to an address that has an account', async () => {
    const { email } = await build.business();

    const empty = await submit('/register', {});
    const taken = await submit('/register', { ...FIELDS, email });

    assert.equal(empty.status, 400);
    for (const name of ['businessName', 'name', 'email', 'password']) assert.ok(errorAt(empty.html, name), name);
    assert.equal(taken.status, 409);
    assert.match(taken.html, /El correo ya está registrado/);
    assert.ok(taken.html.includes('value="Muebles Roble"') && !taken.html.includes(NEW_PASSWORD));
  });

  it('answers 403 where the registration is closed, and the sign-in does not offer it', async () => {
    const closed = await ownService({ REGISTRATION: 'closed' });

    const page = await closed.get('/register');
    const posted = await submit('/register', { ...FIELDS, email: `${newId()}@dueno.test` }, { app: closed });
    const signIn = await closed.get('/login');

    assert.deepEqual([page.status, titleOf(page.bytes.toString())], [403, 'El registro está cerrado']);
    assert.deepEqual([posted.status, titleOf(posted.html)], [403, 'El registro está cerrado']);
    assert.ok(!signIn.bytes.toString().includes('/register'));
    assert.ok((await open('/login')).html.includes('/register'));
  });
});

describe('/verify-email/resend', () => {
  it('mails another link, at most three in an hour', async () => {
    await service();
    const app = await ownService({ EMAIL_VERIFICATION: 'required' });
    const email = `${newId()}@dueno.test`;
    const body = { businessName: 'Muebles', name: 'Diana', email, password: NEW_PASSWORD };
    const registered = await app.post('/api/auth/register', body);
    const as = build.cookieOf(registered.headers);

    const start = await app.get('/app', as);
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent += 1)
      statuses.push((await submit('/verify-email/resend', {}, { as, app })).status);

    assert.match(start.bytes.toString(), /Confirme su correo electrónico/);
    assert.deepEqual(statuses, [303, 303, 303, 429]);
  });
});
