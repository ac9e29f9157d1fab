import assert from 'node:assert/strict';
import * as build from './build.ts';
import { rawRequest } from './raw-http.ts';
import { type Service, service } from './service.ts';
import { rowCounts } from './stored.ts';

describe('Requests with cookies from other sites (CSRF)', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const createClient = (headers: Record<string, string>) =>
    rawRequest(`${app.url}/api/clients`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ contactName: 'Laura' }),
    });

  it('answers 403 «Origen no permitido» to a cookie with Sec-Fetch-Site: cross-site, and stores nothing', async () => {
    const business = await build.business();

    const res = await createClient({ ...business.owner, 'Sec-Fetch-Site': 'cross-site' });

    assert.equal(res.status, 403);
    assert.deepEqual([res.body.error, res.body.code], ['Origen no permitido', 'forbidden']);
    assert.equal((await rowCounts(business))['clients'], 0);
  });

  it('answers 403 «Origen no permitido» to a cookie with a foreign Origin', async () => {
    const { owner } = await build.business();

    const res = await createClient({ ...owner, Origin: 'https://malo.example' });

    assert.equal(res.status, 403);
    assert.equal(res.body.error, 'Origen no permitido');
  });

  it('answers 403 «Origen no permitido» to a cookie with Origin: null', async () => {
    const { owner } = await build.business();

    const res = await createClient({ ...owner, Origin: 'null' });

    assert.equal(res.status, 403);
  });

  it('answers 403 «Origen no permitido» to a cookie with Sec-Fetch-Site: same-site', async () => {
    const { owner } = await build.business();

    const res = await createClient({ ...owner, 'Sec-Fetch-Site': 'same-site', Origin: 'http://otra.acme.example' });

    assert.equal(res.status, 403);
  });

  it('accepts the own Origin', async () => {
    const { owner } = await build.business();
    const { origin } = new URL(app.deps.config.PUBLIC_URL);

    const res = await createClient({ ...owner, Origin: origin });

    assert.equal(res.status, 201);
  });

  it('accepts a request without Origin and Sec-Fetch-Site, as programs send it', async () => {
    const { owner } = await build.business();

    const res = await createClient(owner);

    assert.equal(res.status, 201);
  });

  it('accepts Sec-Fetch-Site: same-origin with another host name than PUBLIC_URL', async () => {
    const { owner } = await build.business();
    const host = 'cotizaciones.lan:8080';

    const res = await createClient({ ...owner, Host: host, Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' });

    assert.equal(res.status, 201);
  });

  it('accepts a cross-site request with an API key', async () => {
    const { as } = await build.member(await build.business());

    const res = await createClient({ ...as, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://panel.example' });

    assert.equal(res.status, 201);
  });

  it('accepts a cross-site GET', async () => {
    const { owner } = await build.business();

    const res = await rawRequest(`${app.url}/api/clients`, { headers: { ...owner, 'Sec-Fetch-Site': 'cross-site' } });

    assert.equal(res.status, 200);
  });

  it('answers 403 «Origen no permitido» to a cross-site sign-in without a cookie', async () => {
    const { email } = await build.business();

    const res = await rawRequest(`${app.url}/api/auth/callback/credentials`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'cross-site' },
      body: JSON.stringify({ email, password: build.PASSWORD }),
    });

    assert.equal(res.status, 403);
    assert.equal(res.headers['set-cookie'], undefined);
  });
});
