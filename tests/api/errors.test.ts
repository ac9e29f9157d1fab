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
    it('is {error, code, requestId} as JSON', async () => {
      const res = await app.get('/api/quotes');

      assert.match(res.headers.get('Content-Type') ?? '', /^application\/json/);
      const requestId = res.headers.get('X-Request-Id');
      assert.deepEqual(res.body, { error: 'No autorizado', code: 'unauthenticated', requestId });
    });

    it('has details when members are wrong', async () => {
      const res = await app.post('/api/auth/callback/credentials', {});

      assert.deepEqual(Object.keys(res.body), ['error', 'code', 'requestId', 'details']);
      assert.deepEqual(res.body.details, [
        { path: 'email', message: 'es obligatorio' },
        { path: 'password', message: 'es obligatorio' },
      ]);
    });

    it('has the members of RFC 9457 as well for Accept: application/problem+json', async () => {
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
        requestId: res.headers.get('X-Request-Id'),
      });
    });

    it('is plain JSON for Accept: */* and for an Accept that names neither', async () => {
      const answers = await Promise.all(['*/*', 'text/html'].map((Accept) => app.get('/api/quotes', { Accept })));

      const types = answers.map(({ headers }) => headers.get('Content-Type')?.split(';')[0]);
      assert.deepEqual(types, ['application/json', 'application/json']);
    });
  });

  describe('X-Request-Id', () => {
    it('is given back when it has a legal form, and stands in the body', async () => {
      const res = await app.get('/api/quotes', { 'X-Request-Id': 'pedido_7.a-B' });

      assert.equal(res.headers.get('X-Request-Id'), 'pedido_7.a-B');
      assert.equal(res.body.requestId, 'pedido_7.a-B');
    });

    it('is replaced when it is too long or has other characters', async () => {
      const given = ['x'.repeat(65), 'con espacio', '{"a":1}', 'ñ'.normalize()].map(encodeURI);

      const answers = await Promise.all(given.map((id) => app.get('/api/quotes', { 'X-Request-Id': id })));

      const made = answers.map(({ headers }) => headers.get('X-Request-Id') ?? '');
      assert.ok(
        made.every((id) => /^[0-9a-f-]{36}$/.test(id)),
        made.join(),
      );
      assert.equal(new Set(made).size, 4);
    });

    it('is made for a success too', async () => {
      const res = await app.get('/healthz');

      assert.match(res.headers.get('X-Request-Id') ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    });
  });

  describe('routes', () => {
    it('answers 404 «Ruta no encontrada» to a path that is none of ours', async () => {
      const answers = await Promise.all(['/', '/api', '/api/nada', '/api/v2/quotes'].map((path) => app.get(path)));

      const refusal = { status: 404, error: 'Ruta no encontrada', code: 'not_found' };
      const seen = answers.map(({ status, body: { error, code } }) => ({ status, error, code }));
      assert.deepEqual(seen, [refusal, refusal, refusal, refusal]);
    });

    it('answers 405 «Método no permitido» with Allow to another method', async () => {
      const res = await app.request('DELETE', '/api/quotes');

      assert.equal(res.status, 405);
      assert.deepEqual([res.body.error, res.body.code], ['Método no permitido', 'method_not_allowed']);
      assert.deepEqual(res.headers.get('Allow')?.split(', ').toSorted(), ['GET', 'HEAD', 'POST']);
    });

    it('answers 405 «Método no permitido» to a method that no route has', async () => {
      const res = await app.request('PROPFIND', '/api/quotes');

      assert.deepEqual([res.status, res.body.error], [405, 'Método no permitido']);
      assert.ok(res.headers.get('Allow')?.includes('GET'));
    });

    it('answers 404 «Ruta no encontrada» to any method on a path that is none of ours', async () => {
      const answers = await Promise.all(['DELETE', 'PROPFIND'].map((method) => app.request(method, '/api/nada')));

      assert.deepEqual(
        answers.map(({ status }) => status),
        [404, 404],
      );
    });

    it('answers 405 «Método no permitido» to POST /docs', async () => {
      const res = await app.post('/docs');

      assert.deepEqual([res.status, res.body.error], [405, 'Método no permitido']);
    });
  });

  describe('URL', () => {
    it('answers 413 «Solicitud demasiado grande» above 8 KiB', async () => {
      const res = await app.get(`/api/quotes?search=${'a'.repeat(8 * 1024)}`);

      assert.equal(res.status, 413);
      assert.deepEqual([res.body.error, res.body.code], ['Solicitud demasiado grande', 'too_large']);
    });

    it('is read up to 8 KiB', async () => {
      const path = '/api/quotes?search=';

      const res = await app.get(path + 'a'.repeat(8 * 1024 - path.length));

      assert.equal(res.status, 401);
    });
  });

  describe('500', () => {
    it('says «Error interno» and nothing of what broke', async () => {
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
      assert.deepEqual(res.body, { error: 'Error interno', code: 'internal', requestId });
      assert.ok(!JSON.stringify([...res.headers]).includes('secreto'));
    });

    it('leaves nothing half written: an audit entry that fails takes quote, event and number with it', async () => {
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
