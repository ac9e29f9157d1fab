import assert from 'node:assert/strict';
import { apiRoutes } from '../../api/app.ts';
import * as build from './build.ts';
import { rawRequest } from './raw-http.ts';
import { ownService, type Response, type Service, service } from './service.ts';

describe('Security headers', () => {
  let app: Service;
  let business: build.Business;
  before(async () => {
    app = await service();
    business = await build.business();
  });

  /** Missing headers of a response. */
  function missing({ headers: got }: Response): string[] {
    const policy = got.get('Content-Security-Policy') ?? '';
    const checks: Record<string, boolean> = {
      'default-src': /default-src '(self|none)'/.test(policy),
      'frame-ancestors': policy.includes("frame-ancestors 'none'"),
      'object-src or default-src none': policy.includes("object-src 'none'") || policy.includes("default-src 'none'"),
      'base-uri': /base-uri '(none|self)'/.test(policy),
      'no foreign or inline scripts': !/script-src[^;]*(\*|http|unsafe|data:)/.test(policy),
      nosniff: got.get('X-Content-Type-Options') === 'nosniff',
      framing: got.get('X-Frame-Options') === 'DENY',
      referrer: ['no-referrer', 'same-origin'].includes(got.get('Referrer-Policy') ?? ''),
      opener: got.get('Cross-Origin-Opener-Policy') === 'same-origin',
      resources: got.get('Cross-Origin-Resource-Policy') === 'same-origin',
      permissions: got.get('Permissions-Policy')?.includes('camera=()') ?? false,
      'no server banner': !got.has('X-Powered-By') && !got.has('Server'),
      'a request id': got.has('X-Request-Id'),
    };
    return Object.keys(checks).filter((name) => !checks[name]);
  }

  it('every route has them, with and without credentials', async () => {
    const gaps: Record<string, string[]> = {};
    for (const { method, path } of apiRoutes(app.deps)) {
      const real = path.replaceAll(/:\w+/g, 'no-hay');
      for (const as of [{}, business.owner]) {
        const signedOut = /\/signout(-everywhere)?$/.test(path) ? {} : as;
        const res = await app.request(method, real, { headers: signedOut });
        const gap = missing(res);
        if (gap.length > 0) gaps[`${method} ${path} ${res.status}`] = gap;
        if (res.headers.get('Cache-Control')?.includes('no-store') !== true) gaps[`${method} ${path}: kept`] = [];
      }
    }

    assert.deepEqual(gaps, {});
  });

  it('files, pages, documents and all kinds of refusals have them', async () => {
    const quote = await build.quote(business.owner);
    await build.patchQuote(business, quote.id, { status: 'SENT' });
    const page = `/p/${quote.publicToken}`;
    const html = (await app.get(page)).bytes.toString();
    const script = /\/p\/assets\/[^"]+/.exec(html)?.[0] ?? '';
    const docsScript = /src="(\/docs\/assets[^"]+)"/.exec((await app.get('/docs')).bytes.toString())?.[1] ?? '';

    const asked: readonly [number, string, Promise<Response>][] = [
      [200, 'PDF', app.get(`/api/quotes/${quote.id}/pdf`, business.owner)],
      [200, 'CSV', app.get('/api/quotes/export.csv', business.owner)],
      [200, 'XLSX', app.get('/api/quotes/export.xlsx', business.owner)],
      [200, 'page of a quote', app.get(page)],
      [200, 'PDF of the page', app.get(`${page}/pdf`)],
      [200, 'file of the page', app.get(script)],
      [404, 'page that is not there', app.get(`/p/${'A'.repeat(43)}`)],
      [403, 'form of another site', app.request('POST', `${page}/accept`, { headers: { Origin: 'https://mal.example' } })],
      [200, 'documentation', app.get('/docs')],
      [200, 'file of the documentation', app.get(docsScript)],
      [200, 'OpenAPI', app.get('/api/openapi.json')],
      [200, 'health', app.get('/healthz')],
      [200, 'readiness', app.get('/readyz')],
      [404, 'no such route', app.get('/no-hay')],
      [405, 'no such method', app.request('DELETE', '/api/quotes')],
      [413, 'URL too long', app.get(`/api/quotes?search=${'a'.repeat(9_000)}`)],
      [413, 'body too large', app.post('/api/clients', `{"a":"${'a'.repeat(2 ** 20)}"}`, business.owner)],
      [415, 'no JSON', app.request('POST', '/api/clients', { headers: { ...business.owner, 'Content-Type': 'text/plain' }, body: 'x' })],
      [400, 'broken JSON', app.post('/api/clients', '{', business.owner)],
      [200, 'OPTIONS', app.request('OPTIONS', '/api/quotes')],
    ]; // prettier-ignore
    const responses = await Promise.all(
      asked.map(async ([status, what, response]) => ({ status, what, res: await response })),
    );

    assert.deepEqual(
      responses
        .map(({ status, what, res }) => [what, res.status === status ? missing(res) : [`status ${res.status}`]])
        .filter(([, gaps]) => (gaps ?? []).length > 0),
      [],
    );
  });

  it('HSTS of one year is sent over https, also on errors, and not over http', async () => {
    const secure = await ownService({ PUBLIC_URL: 'https://cotiza.example' });

    const responses = await Promise.all(['/docs', '/api/quotes', '/no-hay'].map((path) => secure.get(path)));
    const plain = await app.get('/docs');

    assert.deepEqual(
      responses.map(({ headers: got }) => got.get('Strict-Transport-Security')),
      responses.map(() => 'max-age=31536000; includeSubDomains'),
    );
    assert.equal(plain.headers.get('Strict-Transport-Security'), null);
  });

  it('a request id with a line break is not returned, which prevents header injection', async () => {
    const res = await rawRequest(`${app.url}/healthz`, { headers: { 'X-Request-Id': 'a%0d%0aSet-Cookie: x=1' } });

    assert.match(String(res.headers['x-request-id']), /^[0-9a-f-]{36}$/);
    assert.equal(res.headers['set-cookie'], undefined);
  });
});
