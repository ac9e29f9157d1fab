import assert from 'node:assert/strict';
import { TOTP, Secret } from 'otpauth';
import * as build from '../api/build.ts';
import { type Credential, ownService, service } from '../api/service.ts';
import { cookieIn, fieldsIn, filled, open, submit, titleOf } from './browse.ts';

describe('/login', () => {
  const credentials = ({ email }: build.Business) => ({ email, password: build.PASSWORD });

  it('opens a session and leads to the start page', async () => {
    const business = await build.business();
    const { html } = await open('/login');

    const signedIn = await submit('/login', filled(html, credentials(business)));
    const start = await open('/app', cookieIn(signedIn.headers));

    assert.deepEqual([signedIn.status, signedIn.headers.get('Location')], [303, '/app']);
    assert.deepEqual([start.status, titleOf(start.html)], [200, 'Hola, Diana']);
  });

  it('leads back to the page that needed the session', async () => {
    const business = await build.business();
    const { headers } = await open('/app/quotes?status=SENT');
    assert.equal(headers.get('Location'), '/login?next=%2Fapp%2Fquotes%3Fstatus%3DSENT');

    const form = await open(headers.get('Location') ?? '');
    const signedIn = await submit('/login', filled(form.html, credentials(business)));

    assert.equal(signedIn.headers.get('Location'), '/app/quotes?status=SENT');
  });

  it('leads nowhere else: next is a page of ours or nothing', async () => {
    const business = await build.business();
    const elsewhere = [
      'https://malo.example/',
      '//malo.example/',
      '/\\malo.example/',
      '\\\\malo.example',
      '/\t/malo.example',
      '/app/../../malo',
      'javascript:alert(1)',
      '/app\n/quotes',
      '/api/quotes',
      '/login',
      '/app/desconocida',
      'app/quotes',
    ];

    const locations = new Set<string | null>();
    for (const next of elsewhere) {
      const { headers } = await submit('/login', { ...credentials(business), next });
      locations.add(headers.get('Location'));
    }

    assert.deepEqual([...locations], ['/app']);
  });

  it('answers 401 to a wrong password, keeps the address and not the password', async () => {
    const { email } = await build.business();

    const { status, html } = await submit('/login', { email, password: 'otra frase larga' });

    assert.equal(status, 401);
    assert.match(html, /El correo o la contraseña no son correctos\./);
    assert.ok(html.includes(email) && !html.includes('otra frase larga'));
  });

  it('leads who is signed in already to the start page', async () => {
    const { owner } = await build.business();

    const { status, headers } = await open('/login', owner);

    assert.deepEqual([status, headers.get('Location')], [303, '/app']);
  });

  describe('with a second factor', () => {
    async function enabled() {
      const app = await service();
      const business = await build.business();
      const password = build.PASSWORD;
      const { body } = await app.post('/api/auth/two-factor/setup', { password }, business.owner);
      const totp = new TOTP({ secret: Secret.fromBase32(body.secret) });
      const on = await app.post(
        '/api/auth/two-factor/enable',
        // The step before: the tests use the current one.
        { password, code: totp.generate({ timestamp: Date.now() - 30_000 }) },
        business.owner,
      );
      assert.equal(on.status, 200, JSON.stringify(on.body));
      return { business, totp, recoveryCodes: on.body.recoveryCodes as string[] };
    }

    const first = (business: build.Business, more: Record<string, string> = {}) =>
      submit('/login', { ...credentials(business), ...more });

    it('asks for the code after the right password, which is not in the page', async () => {
      const { business, totp } = await enabled();

      const asked = await first(business, { next: '/app/quotes' });
      const signedIn = await submit('/login', filled(asked.html, { code: totp.generate() }));

      assert.deepEqual([asked.status, titleOf(asked.html)], [401, 'Verificación en dos pasos']);
      assert.ok(!asked.html.includes(build.PASSWORD));
      assert.deepEqual([signedIn.status, signedIn.headers.get('Location')], [303, '/app/quotes']);
      assert.equal((await open('/app', cookieIn(signedIn.headers))).status, 200);
    });

    it('asks nothing after a wrong password', async () => {
      const { business } = await enabled();

      const { status, html } = await submit('/login', { email: business.email, password: 'otra frase larga' });

      assert.equal(status, 401);
      assert.equal(titleOf(html), 'Iniciar sesión');
    });

    it('answers 401 to a wrong code and stays at the second step', async () => {
      const { business } = await enabled();
      const asked = await first(business);

      const refused = await submit('/login', filled(asked.html, { code: '000000' }));

      assert.deepEqual([refused.status, titleOf(refused.html)], [401, 'Verificación en dos pasos']);
      assert.match(refused.html, /El código no es correcto o ya se usó\./);
      assert.deepEqual(refused.headers.getSetCookie(), []);
    });

    it('takes a recovery code, once', async () => {
      const { business, recoveryCodes } = await enabled();
      const asked = await first(business);
      const recovery = await submit('/login', filled(asked.html, { step: 'recovery' }));

      const fields = filled(recovery.html, { recoveryCode: recoveryCodes[0] ?? '' });
      const signedIn = await submit('/login', fields);
      const again = await submit('/login', fields);

      assert.equal(recovery.status, 200);
      assert.equal(signedIn.status, 303);
      assert.equal(again.status, 401);
    });

    it('locks after five wrong codes', async () => {
      const { business } = await enabled();
      const asked = await first(business);
      let last = asked;
      for (let code = 1; code <= 6; code += 1)
        last = await submit('/login', filled(asked.html, { code: `00000${code}` }));

      assert.equal(last.status, 429);
      assert.match(last.html, /Espere quince minutos/);
      assert.ok(Number(last.headers.get('Retry-After')) > 0);
    });

    it('asks for the password again when the first step is ten minutes old, or was sealed elsewhere', async () => {
      const { business } = await enabled();
      const asked = await first(business);
      const later = await ownService({}, (deps) => ({ ...deps, now: () => new Date(Date.now() + 601_000) }));

      const old = await submit('/login', filled(asked.html, { code: '000000' }), { app: later });
      const forged = await submit('/login', { pending: 'k1.2.AAAA', code: '000000' });

      for (const { status, html } of [old, forged]) {
        assert.deepEqual([status, titleOf(html)], [401, 'Iniciar sesión']);
        assert.match(html, /Pasó demasiado tiempo/);
      }
    });

    it('carries a submitted form over both steps', async () => {
      const { business, totp } = await enabled();
      const expired = await submit('/app/clients/new', { contactName: 'Laura', key: 'a' });

      const asked = await submit('/login', filled(expired.html, credentials(business)));
      const signedIn = await submit('/login', filled(asked.html, { code: totp.generate() }));

      assert.equal(titleOf(signedIn.html), 'Su sesión había terminado; nada se ha perdido');
      assert.deepEqual(fieldsIn(signedIn.html, '/app/clients/new'), [
        ['contactName', 'Laura'],
        ['key', 'a'],
      ]);
    });
  });

  it('signing out ends the session', async () => {
    const { owner } = await build.business();
    const before: Credential = owner;

    await submit('/logout', {}, { as: before });

    assert.equal((await open('/app', before)).status, 303);
  });
});
