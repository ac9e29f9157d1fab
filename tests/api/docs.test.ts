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

  /** Stylesheet and scripts that a page loads. */
  const assetsOf = (page: string): readonly string[] =>
    [...page.matchAll(/<(?:link rel="stylesheet" href|script type="module" src)="([^"]+)"/g)].map(
      ([, file = '']) => file,
    );

  it('answers 200 with a page that has no inline script or style, and loads files of its own origin', async () => {
    for (const path of ['/docs', '/docs/reference', '/docs/security']) {
      const res = await app.get(path);
      const page = res.bytes.toString();

      assert.equal(res.status, 200);
      assert.match(res.headers.get('Content-Type') ?? '', /^text\/html/);
      assert.doesNotMatch(page, /<style|<script(?! type="module" src="\/docs\/assets\/)|\sstyle=|\son\w+=/);
      assert.equal(assetsOf(page).length, 2);
      assert.ok(assetsOf(page).every((file) => /^\/docs\/assets\/docs-\w{8}\.(css|js)$/.test(file)));
    }
  });

  it('its policy forbids other origins and inline scripts', async () => {
    const res = await app.get('/docs');

    const policy = res.headers.get('Content-Security-Policy') ?? '';
    const directives = Object.fromEntries(policy.split('; ').map((each) => each.split(/ (.*)/)));
    assert.equal(directives['default-src'], "'none'");
    assert.equal(directives['script-src'], "'self'");
    assert.equal(directives['style-src'], "'self'");
    assert.equal(directives['connect-src'], "'self'");
    assert.equal(directives['frame-ancestors'], "'none'");
    assert.ok(!/https?:|\*/.test(policy), policy);
  });

  it('files whose names contain their hash are cached for ever, pages for a minute', async () => {
    const page = await app.get('/docs');
    const files = await Promise.all(assetsOf(page.bytes.toString()).map((file) => app.get(file)));

    assert.deepEqual(
      files.map(({ status, headers }) => [status, headers.get('Cache-Control')]),
      files.map(() => [200, 'public, max-age=31536000, immutable']),
    );
    assert.equal(page.headers.get('Cache-Control'), 'public, max-age=60, must-revalidate');
  });

  it('a page from before an update gets the current files by their old names, uncached', async () => {
    const [, script = ''] = assetsOf((await app.get('/docs')).bytes.toString());

    const [old, current] = await Promise.all([app.get('/docs/assets/docs-AAAAAAAA.js'), app.get(script)]);
    assert.deepEqual([old.status, old.headers.get('Cache-Control')], [200, 'no-store']);
    assert.deepEqual(old.bytes, current.bytes);
  });

  it('the reference has every operation of the OpenAPI document, with its path', async () => {
    const { bytes } = await app.get('/api/openapi.json');
    const { paths } = JSON.parse(bytes.toString()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const overview = (await app.get('/docs/reference')).bytes.toString();
    const groups = [
      ...new Set([...overview.matchAll(/href="(\/docs\/reference\/[a-z-]+)"/g)].map(([, path = '']) => path)),
    ];
    const pages = (await Promise.all(groups.map((path) => app.get(path)))).map((res) => res.bytes.toString()).join();

    const missing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).filter(
        ({ operationId }) => !pages.includes(`id="${operationId}"`) || !pages.includes(path),
      ),
    );
    assert.deepEqual(missing, []);
    assert.ok(Object.keys(paths).length > 70);
  });

  it('pages, their files and the OpenAPI document are compressed, and conditional requests answer 304', async () => {
    const [, script = ''] = assetsOf((await app.get('/docs')).bytes.toString());
    for (const path of ['/docs', '/docs/reference', script, '/api/openapi.json', '/api/v1/openapi.json']) {
      // It asks for compression, as browsers do.
      const first = await fetch(app.url + path);
      const { byteLength } = await first.arrayBuffer();
      const again = await rawRequest(app.url + path, { headers: { 'If-None-Match': first.headers.get('ETag') ?? '' } });

      assert.equal(first.status, 200);
      assert.match(first.headers.get('Content-Encoding') ?? '', /^(br|gzip)$/);
      assert.ok(Number(first.headers.get('Content-Length')) < byteLength / 2);
      assert.deepEqual([again.status, again.body], [304, '']);
    }
  });

  it('a browser gets pages in brotli, a client without compression as they are', async () => {
    const [compressed, plain] = await Promise.all(
      ['gzip, deflate, br', 'identity'].map((encodings) =>
        rawRequest(`${app.url}/docs`, { headers: { 'Accept-Encoding': encodings } }),
      ),
    );

    assert.deepEqual([compressed?.headers['content-encoding'], compressed?.headers.vary], ['br', 'Accept-Encoding']);
    assert.deepEqual([plain?.headers['content-encoding'], plain?.headers.vary], [undefined, 'Accept-Encoding']);
    assert.match(plain?.body ?? '', /^<!doctype html>/);
  });

  it('answers 404 to a page that does not exist', async () => {
    const responses = await Promise.all(
      ['/docs/nothing', '/docs/assets/docs.js', '/docs/manifest.json'].map((path) => app.get(path)),
    );

    assert.deepEqual(
      responses.map(({ status }) => status),
      [404, 404, 404],
    );
  });

  it('answers 429 beyond the rate limit of an address', async () => {
    const limited = await ownService({ RATE_LIMITS: 'on', RATE_ADDRESS_PER_MINUTE: '1' });

    const responses = [await limited.get('/api/openapi.json'), await limited.get('/docs')];

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
