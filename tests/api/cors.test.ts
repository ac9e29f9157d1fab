import assert from 'node:assert/strict';
import { readApiConfig } from '../../adapters/config.ts';
import { testStack } from '../stack.ts';
import * as build from './build.ts';
import { rawRequest } from './raw-http.ts';
import { ownService, service } from './service.ts';

const SHOP = 'https://tienda.example';
const preflight = { method: 'OPTIONS', headers: { Origin: SHOP, 'Access-Control-Request-Method': 'POST' } };
const corsHeaders = (headers: NodeJS.Dict<string | string[]>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('CORS', () => {
  it('by default no response and no preflight has a CORS header', async () => {
    const app = await service();
    const { owner } = await build.business();

    const responses = [
      await rawRequest(`${app.url}/api/quotes`, { headers: { ...owner, Origin: SHOP } }),
      await rawRequest(`${app.url}/api/quotes`, preflight),
      await rawRequest(`${app.url}/api/openapi.json`, { headers: { Origin: SHOP } }),
    ];

    assert.deepEqual(
      responses.flatMap(({ headers }) => corsHeaders(headers)),
      [],
    );
  });

  describe('for origins in CORS_ORIGINS', () => {
    const app = () => ownService({ CORS_ORIGINS: `${SHOP}, https://otra.example` });

    it('a preflight answers 204 with methods and headers, without Allow-Credentials', async () => {
      const { url } = await app();

      const { status, headers } = await rawRequest(`${url}/api/quotes`, preflight);

      assert.equal(status, 204);
      assert.deepEqual(
        [headers['access-control-allow-origin'], headers['access-control-allow-methods'], headers.vary],
        [SHOP, 'GET, POST, PUT, PATCH, DELETE', 'Origin'],
      );
      assert.match(String(headers['access-control-allow-headers']), /Authorization.*If-Match, If-None-Match/);
      assert.equal(headers['access-control-allow-credentials'], undefined);
    });

    it('a call with a key exposes the response headers', async () => {
      const { url } = await app();
      const { as } = await build.member(await build.business());

      const { status, headers } = await rawRequest(`${url}/api/quotes`, { headers: { ...as, Origin: SHOP } });

      assert.equal(status, 200);
      assert.equal(headers['access-control-allow-origin'], SHOP);
      assert.match(String(headers['access-control-expose-headers']), /ETag.*Retry-After/);
    });

    it('error responses have CORS headers too', async () => {
      const { url } = await app();

      const { status, headers } = await rawRequest(`${url}/api/quotes`, { headers: { Origin: SHOP } });

      assert.deepEqual([status, headers['access-control-allow-origin']], [401, SHOP]);
    });

    it('a change with a cookie answers 403 «Origen no permitido»', async () => {
      const { url } = await app();
      const { owner } = await build.business();

      const res = await rawRequest(`${url}/api/clients`, {
        method: 'POST',
        headers: { ...owner, Origin: SHOP, 'Content-Type': 'application/json' },
        body: '{"contactName":"Laura"}',
      });

      assert.deepEqual([res.status, res.body.error], [403, 'Origen no permitido']);
    });

    for (const origin of [
      'https://mal.example',
      'https://tienda.example.mal.example',
      'http://tienda.example',
      'https://tienda.example:8443',
      'https://maltienda.example',
      'null',
    ]) {
      it(`${origin} is not allowed`, async () => {
        const { url } = await app();

        const { headers } = await rawRequest(`${url}/api/quotes`, {
          ...preflight,
          headers: { ...preflight.headers, Origin: origin },
        });

        assert.deepEqual(corsHeaders(headers), []);
        assert.equal(headers.vary, 'Origin');
      });
    }

    it('the pages of clients have no CORS headers', async () => {
      const { url } = await app();

      const { headers } = await rawRequest(`${url}/p/${'A'.repeat(43)}`, { headers: { Origin: SHOP } });

      assert.deepEqual(corsHeaders(headers), []);
    });
  });

  it('CORS_ORIGINS=* allows all origins without credentials', async () => {
    const { url } = await ownService({ CORS_ORIGINS: '*' });

    const { headers } = await rawRequest(`${url}/api/quotes`, { headers: { Origin: SHOP } });

    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['access-control-allow-credentials'], undefined);
  });

  for (const wrong of [
    'tienda.example',
    'https://tienda.example/',
    'https://tienda.example,*',
    'https://a.example;b',
  ]) {
    it(`the API does not start with CORS_ORIGINS=${wrong}`, async () => {
      const { env } = await testStack();

      assert.throws(() => readApiConfig({ ...env, CORS_ORIGINS: wrong }), /CORS_ORIGINS/);
    });
  }
});
