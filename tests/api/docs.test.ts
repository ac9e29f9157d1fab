import assert from 'node:assert/strict';
import { needs } from '../stack.ts';
import { rawRequest } from './raw-http.ts';
import { ownService, type Service, service } from './service.ts';

needs('temporal', 'storage');

describe('GET /docs', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 with a page whose scripts are all from the own origin', async () => {
    const res = await app.get('/docs');

    assert.equal(res.status, 200);
    assert.match(res.headers.get('Content-Type') ?? '', /^text\/html/);
    const scripts = [...res.bytes.toString().matchAll(/<script src="([^"]*)"/g)].map(([, source]) => source);
    assert.deepEqual(scripts, ['/docs/reference.js', '/docs/start.js']);
  });

  it('its policy forbids other origins and inline scripts', async () => {
    const res = await app.get('/docs');

    const policy = res.headers.get('Content-Security-Policy') ?? '';
    const directives = Object.fromEntries(policy.split('; ').map((each) => each.split(/ (.*)/)));
    assert.equal(directives['default-src'], "'none'");
    assert.equal(directives['script-src'], "'self'");
    assert.equal(directives['connect-src'], "'self'");
    assert.equal(directives['frame-ancestors'], "'none'");
    assert.ok(!/https?:|\*/.test(policy), policy);
  });

  it('both scripts are served', async () => {
    const responses = await Promise.all(['/docs/reference.js', '/docs/start.js'].map((path) => app.get(path)));

    const seen = responses.map(({ status, headers }) => [status, headers.get('Content-Type')?.split(';')[0]]);
    assert.deepEqual(seen, [
      [200, 'text/javascript'],
      [200, 'text/javascript'],
    ]);
    assert.ok((responses[0]?.bytes.length ?? 0) > 100_000);
  });

  it('the reference shows the OpenAPI document for integrations', async () => {
    const res = await app.get('/docs/start.js');

    assert.match(res.bytes.toString(), /"url":"\/api\/v1\/openapi\.json"/);
  });

  it('reference and OpenAPI document are compressed, and conditional requests answer 304', async () => {
    for (const path of ['/docs/reference.js', '/api/openapi.json', '/api/v1/openapi.json']) {
      const first = await app.get(path);
      // Not fetch, which adds Cache-Control: no-cache to conditional requests.
      const again = await rawRequest(app.url + path, { headers: { 'If-None-Match': first.headers.get('ETag') ?? '' } });

      assert.deepEqual([first.status, first.headers.get('Content-Encoding')], [200, 'gzip']);
      assert.ok(Number(first.headers.get('Content-Length')) < first.bytes.length / 3);
      assert.deepEqual([again.status, again.body], [304, '']);
    }
  });

  it('a client without gzip gets them uncompressed', async () => {
    const res = await rawRequest(`${app.url}/docs/start.js`, { headers: { 'Accept-Encoding': 'identity' } });

    assert.deepEqual([res.status, res.headers['content-encoding']], [200, undefined]);
    assert.match(res.body, /createApiReference/);
  });

  it('answers 429 beyond the rate limit of an address', async () => {
    const limited = await ownService({ RATE_LIMITS: 'on', RATE_ADDRESS_PER_MINUTE: '1' });

    const responses = [await limited.get('/api/openapi.json'), await limited.get('/docs/reference.js')];

    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 429],
    );
  });
});

describe('GET /healthz and /readyz', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('/healthz answers 200 {status: ok}', async () => {
    const res = await app.get('/healthz');

    assert.deepEqual([res.status, res.body], [200, { status: 'ok' }]);
  });

  it('/readyz answers 200 with the state of each dependency', async () => {
    const res = await app.get('/readyz');

    assert.equal(res.status, 200);
    const parts = { database: 'ok', temporal: 'ok', storage: 'ok' };
    assert.deepEqual(res.body, { status: 'ok', parts });
  });

  it('responses have nosniff and framing headers', async () => {
    const { headers } = await app.get('/healthz');

    assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
    assert.equal(headers.get('X-Frame-Options'), 'DENY');
    assert.equal(headers.get('X-Powered-By'), null);
  });
});
