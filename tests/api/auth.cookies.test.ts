import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import * as build from './build.ts';
import { ownService, type Service, service } from './service.ts';

const HTTPS = { PUBLIC_URL: 'https://cotizaciones.acme.example' };
const NAME = '__Host-quoting.session-token';

describe('Session cookie with an https PUBLIC_URL and the default TRUSTED_PROXIES', () => {
  let app: Service;
  before(async () => {
    app = await ownService(HTTPS);
  });

  const register = (email = `${newId()}@dueno.test`) =>
    app.post('/api/auth/register', { businessName: 'Acme', name: 'Diana', email, password: build.PASSWORD });

  it('registration answers 201 and sets the cookie: __Host- prefix, Secure, HttpOnly, SameSite=Lax, Path=/, no Domain', async () => {
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

  it('sign-in answers 200 and sets a valid cookie', async () => {
    const { email } = await build.business();

    const res = await app.post('/api/auth/callback/credentials', { email, password: build.PASSWORD });

    assert.equal(res.status, 200);
    assert.ok(build.cookieOf(res.headers)['Cookie']?.startsWith(`${NAME}=`));
    assert.equal((await app.get('/api/auth/session', build.cookieOf(res.headers))).status, 200);
  });

  it('sign-out answers 200, removes the cookie and ends the session', async () => {
    const owner = build.cookieOf((await register()).headers);

    const res = await app.post('/api/auth/signout', undefined, owner);

    assert.equal(res.status, 200);
    assert.match(
      res.headers.getSetCookie().join(),
      /^__Host-quoting\.session-token=; path=\/; expires=Thu, 01 Jan 1970[^;]+; samesite=lax; secure; httponly$/i,
    );
    assert.equal((await app.get('/api/auth/session', owner)).status, 401);
  });

  it('the cookie name for http is ignored', async () => {
    const owner = build.cookieOf((await register()).headers);

    const plain = { Cookie: (owner['Cookie'] ?? '').replace('__Host-', '') };

    assert.equal((await app.get('/api/auth/session', plain)).status, 401);
  });

  it('the OpenAPI document contains the cookie name', async () => {
    const { body } = await app.get('/api/openapi.json');

    assert.equal(body.components.securitySchemes.session.name, NAME);
  });

  it('the cookie of a counted view is Secure too', async () => {
    const { page } = await build.sentQuote(await build.business());

    const res = await app.get(page);

    assert.equal(res.status, 200);
    assert.match(res.headers.getSetCookie().join(), /; secure/i);
  });
});

describe('Two session cookies of the same name', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const sessionOf = (...cookies: readonly (string | undefined)[]) =>
    app.get('/api/auth/session', { Cookie: cookies.join('; ') });
  const STRAY = 'quoting.session-token=aaaa.bbbb.cccc.dddd.eeee';

  it('a valid and an invalid cookie answer 200, in either order', async () => {
    const { owner, userId } = await build.business();

    const responses = [await sessionOf(STRAY, owner['Cookie']), await sessionOf(owner['Cookie'], STRAY)];

    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.user?.id]),
      [
        [200, userId],
        [200, userId],
      ],
    );
  });

  it('a valid cookie and one of an ended session answer 200', async () => {
    const { owner, email, userId } = await build.business();
    const second = await app.post('/api/auth/callback/credentials', { email, password: build.PASSWORD });
    await app.post('/api/auth/signout', undefined, owner);

    const res = await sessionOf(owner['Cookie'], build.cookieOf(second.headers)['Cookie']);

    assert.deepEqual([res.status, res.body.user?.id], [200, userId]);
  });

  it('two equal cookies answer 200', async () => {
    const { owner } = await build.business();

    assert.equal((await sessionOf(owner['Cookie'], owner['Cookie'])).status, 200);
  });

  it('cookies of two live sessions answer 401 «No autorizado», because one may have been planted', async () => {
    const [mine, planted] = [await build.business(), await build.business()];

    const responses = [
      await sessionOf(planted.owner['Cookie'], mine.owner['Cookie']),
      await sessionOf(mine.owner['Cookie'], planted.owner['Cookie']),
    ];

    assert.deepEqual(
      responses.map(({ status }) => status),
      [401, 401],
    );
  });

  it('a request of another site answers 403 «Origen no permitido», in either order of the cookies', async () => {
    const { owner } = await build.business();
    const headers = { Cookie: `${STRAY}; ${owner['Cookie'] ?? ''}`, Origin: 'https://malo.example' };

    const res = await app.post('/api/clients', { contactName: 'Laura' }, headers);

    assert.equal(res.status, 403);
  });

  it('more than four cookies answer 401 «No autorizado»', async () => {
    const { owner } = await build.business();

    assert.equal((await sessionOf(STRAY, STRAY, STRAY, owner['Cookie'])).status, 200);
    assert.equal((await sessionOf(STRAY, STRAY, STRAY, STRAY, owner['Cookie'])).status, 401);
  });
});
