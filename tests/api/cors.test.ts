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

describe('pages of other origins', () => {
  it('are let in nowhere by default: no CORS header on any answer, nor on a preflight', async () => {
    const app = await service();
    const { owner } = await build.business();

    const answers = [
      await rawRequest(`${app.url}/api/quotes`, { headers: { ...owner, Origin: SHOP } }),
      await rawRequest(`${app.url}/api/quotes`, preflight),
      await rawRequest(`${app.url}/api/openapi.json`, { headers: { Origin: SHOP } }),
    ];

    assert.deepEqual(
      answers.flatMap(({ headers }) => corsHeaders(headers)),
      [],
    );
  });

  describe('that CORS_ORIGINS names', () => {
    const app = () => ownService({ CORS_ORIGINS: `${SHOP}, https://otra.example` });

    it('may ask first: 204 with methods and headers, and no word of credentials', async () => {
      const { url } = await app();

      const { status, headers } = await rawRequest(`${url}/api/quotes`, preflight);

      assert.equal(status, 204);
      assert.deepEqual(
        [headers['access-control-allow-origin'], headers['access-control-allow-methods'], headers.vary],
        [SHOP, 'GET, POST, PUT, PATCH, DELETE', 'Origin'],
      );
      assert.match(String(headers['access-control-allow-headers']), /Authorization/);
      assert.equal(headers['access-control-allow-credentials'], undefined);
    });

    it('may call with a key, and read what the answer says beside its body', async () => {
      const { url } = await app();
      const { as } = await build.member(await build.business());

      const { status, headers } = await rawRequest(`${url}/api/quotes`, { headers: { ...as, Origin: SHOP } });

      assert.equal(status, 200);
      assert.equal(headers['access-control-allow-origin'], SHOP);
      assert.match(String(headers['access-control-expose-headers']), /Retry-After/);
    });

    it('may read refusals too', async () => {
      const { url } = await app();

      const { status, headers } = await rawRequest(`${url}/api/quotes`, { headers: { Origin: SHOP } });

      assert.deepEqual([status, headers['access-control-allow-origin']], [401, SHOP]);
    });

    it('may change nothing with a cookie: 403 «Origen no permitido»', async () => {
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
      it(`do not include ${origin}`, async () => {
        const { url } = await app();

        const { headers } = await rawRequest(`${url}/api/quotes`, {
          ...preflight,
          headers: { ...preflight.headers, Origin: origin },
        });

        assert.deepEqual(corsHeaders(headers), []);
        assert.equal(headers.vary, 'Origin');
      });
    }

    it('are let into the API only, not into pages of clients', async () => {
      const { url } = await app();

      const { headers } = await rawRequest(`${url}/p/${'A'.repeat(43)}`, { headers: { Origin: SHOP } });

      assert.deepEqual(corsHeaders(headers), []);
    });
  });

  it('are all let in by *, and none of them with credentials', async () => {
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
    it(`are not named by CORS_ORIGINS=${wrong}: the API does not start`, async () => {
      const { env } = await testStack();

      assert.throws(() => readApiConfig({ ...env, CORS_ORIGINS: wrong }), /CORS_ORIGINS/);
    });
  }
});
