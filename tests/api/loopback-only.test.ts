import assert from 'node:assert/strict';
import { rawRequest } from './raw-http.ts';
import { devService, type Service, service } from './service.ts';

const PATHS = ['/dev', '/', '/dev/sink/x', '/api/quotes', '/healthz', '/docs', '/nothing'];

describe('The Host of a request', () => {
  let app: Service;
  before(async () => {
    app = await devService({ TRUSTED_PROXIES: '1' });
  });
  const statusesFor = (host: string, headers: Record<string, string> = {}) =>
    Promise.all(
      PATHS.map(async (path) => (await rawRequest(app.url + path, { headers: { Host: host, ...headers } })).status),
    );

  for (const host of [
    'cotizaciones.example',
    'cotizaciones.example:3000',
    '127.0.0.1.example',
    'localhost.example',
    '10.0.0.1',
    '0.0.0.0',
    '[::2]',
    'x y',
    '[::1',
    'localhost:x',
  ]) {
    it(`is refused in the embedded profile on every path: ${host}`, async () =>
      assert.deepEqual(
        await statusesFor(host),
        PATHS.map(() => 400),
      ));
  }

  it('is refused with «Host no permitido» when only X-Forwarded-Host is a loopback name', async () => {
    const headers = { Host: 'cotizaciones.example', 'X-Forwarded-Host': 'localhost' };

    const { status, body } = await rawRequest(`${app.url}/dev/sink`, { headers });

    assert.deepEqual(
      [status, body.error, body.code, body.reason],
      [400, 'Host no permitido', 'invalid', 'host_not_allowed'],
    );
  });

  for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.0.0.1:1', '[::1]:3000']) {
    it(`is accepted in the embedded profile: ${host}`, async () =>
      assert.deepEqual(await statusesFor(host), [200, 303, 200, 401, 200, 200, 404]));
  }

  it('can be any name in other profiles', async () => {
    const { url } = await service();

    assert.equal((await rawRequest(`${url}/healthz`, { headers: { Host: 'cotizaciones.example' } })).status, 200);
  });
});
