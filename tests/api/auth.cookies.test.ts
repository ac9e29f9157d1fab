import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import * as build from './build.ts';
import { ownService, type Service, service } from './service.ts';

const HTTPS = { PUBLIC_URL: 'https://cotizaciones.acme.example' };
const NAME = '__Host-quoting.session-token';

describe('the session cookie under an https PUBLIC_URL with TRUSTED_PROXIES at its default', () => {
  let app: Service;
  before(async () => {
    app = await ownService(HTTPS);
  });

  const register = (email = `${newId()}@dueno.test`) =>
    app.post('/api/auth/register', { businessName: 'Acme', name: 'Diana', email, password: build.PASSWORD });

  it('is set by registration: 201, __Host- prefix, Secure, HttpOnly, SameSite=Lax, Path=/ and no Domain', async () => {
    const res = await register();

    assert.equal(app.deps.config.TRUSTED_PROXIES, 0);
    assert.equal(res.status, 201);
    const [cookie = ''] = res.headers.getSetCookie();
    assert.match(
      cookie,
      /^__Host-quoting\.session-token=[\w.-]+; path=\/; expires=[^;]+; samesite=lax; secure; httponly$/i,
    );
    assert.equal((await app.get('/api/auth/session', build.cookieOf(res.headers))).status, 200);
  });

  it('is set by a sign-in: 200, and it signs in', async () => {
    const { email } = await build.business();

    const res = await app.post('/api/auth/callback/credentials', { email, password: build.PASSWORD });

    assert.equal(res.status, 200);
    assert.ok(build.cookieOf(res.headers)['Cookie']?.startsWith(`${NAME}=`));
    assert.equal((await app.get('/api/auth/session', build.cookieOf(res.headers))).status, 200);
  });

  it('is removed by a sign-out: 200, and the session has ended', async () => {
    const owner = build.cookieOf((await register()).headers);

    const res = await app.post('/api/auth/signout', undefined, owner);

    assert.equal(res.status, 200);
    assert.match(
      res.headers.getSetCookie().join(),
      /^__Host-quoting\.session-token=; path=\/; expires=Thu, 01 Jan 1970[^;]+; samesite=lax; secure; httponly$/i,
    );
    assert.equal((await app.get('/api/auth/session', owner)).status, 401);
  });

  it('is not set by a registration that was refused with 409', async () => {
    const { email } = await build.business();

    const res = await register(email);

    assert.equal(res.status, 409);
    assert.deepEqual(res.headers.getSetCookie(), []);
  });

  it('is not read under the name that it has over http', async () => {
    const owner = build.cookieOf((await register()).headers);

    const plain = { Cookie: (owner['Cookie'] ?? '').replace('__Host-', '') };

    assert.equal((await app.get('/api/auth/session', plain)).status, 401);
  });

  it('is named by the OpenAPI document', async () => {
    const { body } = await app.get('/api/openapi.json');

    assert.equal(body.components.securitySchemes.session.name, NAME);
  });

  it('is joined by the cookie of a counted view, which is Secure too', async () => {
    const { page } = await build.sentQuote(await build.business());

    const res = await app.get(page);

    assert.equal(res.status, 200);
    assert.match(res.headers.getSetCookie().join(), /; secure/i);
  });
});

describe('two session cookies of one name', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const sessionOf = (...cookies: readonly (string | undefined)[]) =>
    app.get('/api/auth/session', { Cookie: cookies.join('; ') });
  const STRAY = 'quoting.session-token=aaaa.bbbb.cccc.dddd.eeee';

  it('answer 200 when one of them opens no session, in either order', async () => {
    const { owner, userId } = await build.business();

    const answers = [await sessionOf(STRAY, owner['Cookie']), await sessionOf(owner['Cookie'], STRAY)];

    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.user?.id]),
      [
        [200, userId],
        [200, userId],
      ],
    );
  });

  it('answer 200 when one of them is of a session that has ended', async () => {
    const { owner, email, userId } = await build.business();
    const second = await app.post('/api/auth/callback/credentials', { email, password: build.PASSWORD });
    await app.post('/api/auth/signout', undefined, owner);

    const res = await sessionOf(owner['Cookie'], build.cookieOf(second.headers)['Cookie']);

    assert.deepEqual([res.status, res.body.user?.id], [200, userId]);
  });

  it('answer 200 when both are the same', async () => {
    const { owner } = await build.business();

    assert.equal((await sessionOf(owner['Cookie'], owner['Cookie'])).status, 200);
  });

  it('answer 401 «No autorizado» when both are signed in: nobody acts in the account of who planted one', async () => {
    const [mine, planted] = [await build.business(), await build.business()];

    const answers = [
      await sessionOf(planted.owner['Cookie'], mine.owner['Cookie']),
      await sessionOf(mine.owner['Cookie'], planted.owner['Cookie']),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401],
    );
  });

  it('answer 403 «Origen no permitido» to another site’s request, whichever comes first', async () => {
    const { owner } = await build.business();
    const headers = { Cookie: `${STRAY}; ${owner['Cookie'] ?? ''}`, Origin: 'https://malo.example' };

    const res = await app.post('/api/clients', { contactName: 'Laura' }, headers);

    assert.equal(res.status, 403);
  });

  it('answer 401 «No autorizado» beyond four, of which no session is read', async () => {
    const { owner } = await build.business();

    assert.equal((await sessionOf(STRAY, STRAY, STRAY, owner['Cookie'])).status, 200);
    assert.equal((await sessionOf(STRAY, STRAY, STRAY, STRAY, owner['Cookie'])).status, 401);
  });
});
