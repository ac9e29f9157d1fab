import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';
import { brokenFor } from './broken-business.ts';

describe('errors', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  describe('body', () => {
    it('the body is {error, code, reason, requestId} as JSON', async () => {
      const res = await app.get('/api/quotes');

      assert.match(res.headers.get('Content-Type') ?? '', /^application\/json/);
      const requestId = res.headers.get('X-Request-Id');
      assert.deepEqual(res.body, {
        error: 'No autorizado',
        code: 'unauthenticated',
        reason: 'credentials_missing',
        requestId,
      });
    });

    it('the body has details for invalid members', async () => {
      const res = await app.post('/api/auth/callback/credentials', {});

      assert.deepEqual(Object.keys(res.body), ['error', 'code', 'reason', 'requestId', 'details']);
      assert.deepEqual(res.body.details, [
        { path: 'email', message: 'es obligatorio' },
        { path: 'password', message: 'es obligatorio' },
      ]);
    });

    it('the body also has the members of RFC 9457 for Accept: application/problem+json', async () => {
      const res = await app.get('/api/quotes', { Accept: 'application/problem+json' });

      assert.equal(res.status, 401);
      assert.match(res.headers.get('Content-Type') ?? '', /^application\/problem\+json/);
      assert.deepEqual(res.body, {
        type: 'about:blank',
        title: 'No autorizado',
        status: 401,
        detail: 'No autorizado',
        error: 'No autorizado',
        code: 'unauthenticated',
        reason: 'credentials_missing',
        requestId: res.headers.get('X-Request-Id'),
      });
    });

    it('the body is plain JSON for Accept: */* and for other types', async () => {
      const responses = await Promise.all(['*/*', 'text/html'].map((Accept) => app.get('/api/quotes', { Accept })));

      const types = responses.map(({ headers }) => headers.get('Content-Type')?.split(';')[0]);
      assert.deepEqual(types, ['application/json', 'application/json']);
    });
  });

  describe('WWW-Authenticate', () => {
    const challenges = async (headers: Record<string, string>, path = '/api/quotes') => {
      const res = await app.get(path, headers);
      return [res.status, res.headers.get('WWW-Authenticate')];
    };

    it('401 without a credential names the scheme', async () => {
      assert.deepEqual(await challenges({}), [401, 'Bearer realm="quoting"']);
    });

    it('401 to a key that is not valid adds error="invalid_token"', async () => {
      const answer = await challenges({ Authorization: `Bearer svc_${'0'.repeat(40)}` });

      assert.deepEqual(answer, [401, 'Bearer realm="quoting", error="invalid_token"']);
    });

    it('401 to a session that ended, to a session under /api/v1 and to a wrong password names only the scheme', async () => {
      const { owner } = await build.business();
      const credentials = { email: 'nadie@acme.test', password: 'no es la mía' };

      const ended = await challenges({ Cookie: owner['Cookie']?.replace(/=.*/, '=nada') ?? '' });
      const versioned = await challenges(owner, '/api/v1/quotes');
      const wrong = await app.post('/api/auth/callback/credentials', credentials);

      assert.deepEqual(
        [ended, versioned],
        [
          [401, 'Bearer realm="quoting"'],
          [401, 'Bearer realm="quoting"'],
        ],
      );
      assert.deepEqual([wrong.status, wrong.headers.get('WWW-Authenticate')], [401, 'Bearer realm="quoting"']);
    });

    it('other responses have none', async () => {
      const { owner } = await build.business();

      assert.deepEqual(await challenges(owner), [200, null]);
      assert.deepEqual(await challenges(owner, '/api/quotes/c5tz6q8v0k3m9w2x7y4n1b0d'), [404, null]);
    });
  });

  describe('X-Request-Id', () => {
    it('a valid X-Request-Id is returned in header and body', async () => {
      const res = await app.get('/api/quotes', { 'X-Request-Id': 'pedido_7.a-B' });

      assert.equal(res.headers.get('X-Request-Id'), 'pedido_7.a-B');
      assert.equal(res.body.requestId, 'pedido_7.a-B');
    });

    it('an X-Request-Id that is too long or has other characters is replaced', async () => {
      const given = ['x'.repeat(65), 'con espacio', '{"a":1}', 'ñ'.normalize()].map(encodeURI);

      const responses = await Promise.all(given.map((id) => app.get('/api/quotes', { 'X-Request-Id': id })));

      const made = responses.map(({ headers }) => headers.get('X-Request-Id') ?? '');
      assert.ok(
        made.every((id) => /^[0-9a-f-]{36}$/.test(id)),
        made.join(),
      );
      assert.equal(new Set(made).size, 4);
    });

    it('success responses have an X-Request-Id too', async () => {
      const res = await app.get('/healthz');

      assert.match(res.headers.get('X-Request-Id') ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    });
  });

  describe('routes', () => {
    it('answers 404 «Ruta no encontrada» to an unknown path', async () => {
      const responses = await Promise.all(
        ['/nada', '/api', '/api/nada', '/api/v2/quotes'].map((path) => app.get(path)),
      );

      const refusal = { status: 404, error: 'Ruta no encontrada', code: 'not_found' };
      const seen = responses.map(({ status, body: { error, code } }) => ({ status, error, code }));
      assert.deepEqual(seen, [refusal, refusal, refusal, refusal]);
    });

    it('answers 405 «Método no permitido» with Allow to a method without a route', async () => {
      const res = await app.request('DELETE', '/api/quotes');

      assert.equal(res.status, 405);
      assert.deepEqual([res.body.error, res.body.code], ['Método no permitido', 'method_not_allowed']);
      assert.deepEqual(res.headers.get('Allow')?.split(', ').toSorted(), ['GET', 'HEAD', 'POST']);
    });

    it('answers 405 «Método no permitido» to an unknown method', async () => {
      const res = await app.request('PROPFIND', '/api/quotes');

      assert.deepEqual([res.status, res.body.error], [405, 'Método no permitido']);
      assert.ok(res.headers.get('Allow')?.includes('GET'));
    });

    it('answers 404 «Ruta no encontrada» to any method on an unknown path', async () => {
      const responses = await Promise.all(['DELETE', 'PROPFIND'].map((method) => app.request(method, '/api/nada')));

      assert.deepEqual(
        responses.map(({ status }) => status),
        [404, 404],
      );
    });
  });

  describe('URL', () => {
    it('answers 413 «Solicitud demasiado grande» to a URL above 8 KiB', async () => {
      const res = await app.get(`/api/quotes?search=${'a'.repeat(8 * 1024)}`);

      assert.equal(res.status, 413);
      assert.deepEqual([res.body.error, res.body.code], ['Solicitud demasiado grande', 'too_large']);
    });

    it('answers 200 to a URL of 8 KiB', async () => {
      const path = '/api/quotes?search=';

      const res = await app.get(path + 'a'.repeat(8 * 1024 - path.length));

      assert.equal(res.status, 401);
    });
  });

  describe('500', () => {
    it('an unexpected error answers «Error interno» without details', async () => {
      const business = await build.business();
      const broken = await brokenFor(business, 'clients', 'secreto: tabla_interna');
      const requestId = newId();

      const res = await app.post(
        '/api/clients',
        { contactName: 'Laura' },
        { ...business.owner, 'X-Request-Id': requestId },
      );

      await broken.repair();
      assert.equal(res.status, 500);
      assert.deepEqual(res.body, { error: 'Error interno', code: 'internal', reason: 'internal_error', requestId });
      assert.ok(!JSON.stringify([...res.headers]).includes('secreto'));
    });

    it('a failing audit entry rolls back quote, event and number', async () => {
      const business = await build.business();
      const { id: clientId } = await build.client(business.owner);
      const broken = await brokenFor(business, 'audit_logs', 'no');
      const body = { clientId, items: [build.ITEM] };

      const failed = await app.post('/api/quotes', body, business.owner);

      await broken.repair();
      const next = await app.post('/api/quotes', body, business.owner);
      assert.equal(failed.status, 500);
      assert.deepEqual([next.status, next.body.quoteNumber], [201, 1]);
      assert.equal((await app.get('/api/quotes', business.owner)).body.total, 1);
    });
  });
});
