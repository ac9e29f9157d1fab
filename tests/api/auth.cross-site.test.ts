import assert from 'node:assert/strict';
import * as build from './build.ts';
import { rawRequest } from './raw-http.ts';
import { type Service, service } from './service.ts';
import { rowCounts } from './stored.ts';

describe('Requests with cookies from other sites (CSRF)', () => {
  let app: Service;
  let business: build.Business;
  before(async () => {
    app = await service();
    business = await build.business();
  });

  const createClient = (headers: Record<string, string>) =>
    rawRequest(`${app.url}/api/clients`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ contactName: 'Laura' }),
    });

  for (const headers of [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site', Origin: 'http://otra.acme.example' },
    { Origin: 'https://malo.example' },
    { Origin: 'null' },
  ]) {
    it(`answers 403 «Origen no permitido» to a cookie with ${JSON.stringify(headers)}, and stores nothing`, async () => {
      const before = await rowCounts(business);

      const res = await createClient({ ...business.owner, ...headers });

      assert.deepEqual([res.status, res.body.error, res.body.code], [403, 'Origen no permitido', 'forbidden']);
      assert.deepEqual(await rowCounts(business), before);
    });
  }

  const OTHER_NAME = 'cotizaciones.lan:8080';
  for (const [what, headersOf] of [
    ['the own Origin', () => ({ Origin: new URL(app.deps.config.PUBLIC_URL).origin })],
    ['neither Origin nor Sec-Fetch-Site, as programs send it', () => ({})],
    [
      'Sec-Fetch-Site: same-origin and another host name than PUBLIC_URL',
      () => ({ Host: OTHER_NAME, Origin: `http://${OTHER_NAME}`, 'Sec-Fetch-Site': 'same-origin' }),
    ],
  ] as const) {
    it(`accepts a cookie with ${what}`, async () => {
      assert.equal((await createClient({ ...business.owner, ...headersOf() })).status, 201);
    });
  }

  it('accepts a cross-site request with an API key', async () => {
    const { as } = await build.member(business);

    const res = await createClient({ ...as, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://panel.example' });

    assert.equal(res.status, 201);
  });

  it('accepts a cross-site GET', async () => {
    const headers = { ...business.owner, 'Sec-Fetch-Site': 'cross-site' };

    assert.equal((await rawRequest(`${app.url}/api/clients`, { headers })).status, 200);
  });

  it('answers 403 «Origen no permitido» to a cross-site sign-in without a cookie', async () => {
    const { email } = business;

    const res = await rawRequest(`${app.url}/api/auth/callback/credentials`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'cross-site' },
      body: JSON.stringify({ email, password: build.PASSWORD }),
    });

    assert.equal(res.status, 403);
    assert.equal(res.headers['set-cookie'], undefined);
  });
});
