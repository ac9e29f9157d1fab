import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import * as build from './build.ts';
import { rawRequest } from './raw-http.ts';
import { type Service, service } from './service.ts';
import { rowCounts } from './stored.ts';

const MIB = 1024 * 1024;

describe('Request bodies', () => {
  let app: Service;
  let business: build.Business;
  before(async () => {
    app = await service();
    business = await build.business();
  });

  /** Sends a body to POST /api/clients and checks that nothing was written. */
  async function refused(body: string | Buffer, headers: Record<string, string> = {}) {
    const before = await rowCounts(business);
    const res = await rawRequest(`${app.url}/api/clients`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...business.owner, ...headers },
      body,
    });
    assert.deepEqual(await rowCounts(business), before);
    return res;
  }

  describe('JSON', () => {
    const cases: readonly [what: string, body: string][] = [
      ['truncated JSON', '{"contactName": "Laura"'],
      ['text that is not JSON', 'contactName=Laura'],
      ['a JSON string', '"Laura"'],
      ['a JSON number', '7'],
      ['null', 'null'],
      ['NaN', '{"contactName": NaN}'],
      ['two JSON values', '{"contactName": "Laura"}{}'],
    ];
    for (const [what, body] of cases) {
      it(`answers 400 «JSON inválido» to ${what}`, async () => {
        const res = await refused(body);

        assert.equal(res.status, 400);
        assert.deepEqual([res.body.error, res.body.code], ['JSON inválido', 'invalid']);
      });
    }

    it('answers 400 «contactName: es obligatorio» without a body', async () => {
      const res = await app.post('/api/clients', undefined, business.owner);

      assert.deepEqual([res.status, res.body.error], [400, 'contactName: es obligatorio']);
    });

    it('answers 400 to 100 000 levels of nesting', async () => {
      const res = await refused(`{"contactName": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`);

      assert.equal(res.status, 400);
      assert.match(res.body.error, /niveles$/);
    });

    it('answers 400 with only 20 details to 1 MiB of invalid lines', async () => {
      const body = `{"clientId": "c", "items": [${'{},'.repeat(300_000)}{}]}`;
      const res = await app.post('/api/quotes', body, business.owner);

      assert.equal(res.status, 400);
      assert.equal(res.body.error, 'items: debe tener como máximo 1000 elementos');
      assert.equal(res.body.details.length, 20);
    });

    it('accepts 32 levels and answers 400 «debe tener como máximo 32 niveles» to 33', async () => {
      const nested = (levels: number) =>
        `{"contactName": "Laura", "x": ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

      const responses = await Promise.all(
        [33, 32].map((levels) => app.post('/api/clients', nested(levels), business.owner)),
      );

      assert.deepEqual(
        responses.map(({ status, body }) => [status, body.error]),
        [
          [400, 'debe tener como máximo 32 niveles'],
          [201, undefined],
        ],
      );
    });

    it('does not count brackets in texts as levels', async () => {
      const body = JSON.stringify({ contactName: 'Laura', notes: `"\\${'['.repeat(40)}` });
      const res = await app.post('/api/clients', body, business.owner);

      assert.equal(res.status, 201);
    });

    it('accepts 30 consecutive combining marks and answers 400 «contiene caracteres no permitidos» to 31', async () => {
      const name = (marks: number) => ({ contactName: `a${'\u0315'.repeat(marks - 1)}\u0301` });

      const responses = await Promise.all(
        [31, 30].map((marks) => app.post('/api/clients', name(marks), business.owner)),
      );

      assert.deepEqual(
        responses.map(({ status, body }) => [status, body.error]),
        [
          [400, 'contactName: contiene caracteres no permitidos'],
          [201, undefined],
        ],
      );
    });

    it('accepts a name of 200 letters sent as 400 code points', async () => {
      const res = await app.post('/api/clients', { contactName: 'e\u0301'.repeat(200) }, business.owner);

      assert.deepEqual([res.status, res.body.contactName], [201, 'é'.repeat(200)]);
    });

    it('accepts JSON with a charset, and +json', async () => {
      const types = ['application/json; charset=utf-8', 'application/vnd.api+json'];

      const responses = await Promise.all(
        types.map((type) =>
          app.post('/api/clients', '{"contactName": "Laura"}', { ...business.owner, 'Content-Type': type }),
        ),
      );

      assert.deepEqual(
        responses.map(({ status }) => status),
        [201, 201],
      );
    });
  });

  describe('Content-Type', () => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nada'];
    for (const type of types) {
      it(`answers 415 «Tipo de contenido no admitido» to ${type}`, async () => {
        const res = await refused('{"contactName": "Laura"}', { 'Content-Type': type });

        assert.equal(res.status, 415);
        assert.deepEqual([res.body.error, res.body.code], ['Tipo de contenido no admitido', 'unsupported_media_type']);
      });
    }
  });

  describe('size', () => {
    const json = (bytes: number) => `{"contactName": "${'a'.repeat(bytes)}"}`;

    it('answers 413 «Solicitud demasiado grande» to 2 MB of JSON', async () => {
      const res = await refused(json(2 * MIB));

      assert.equal(res.status, 413);
      assert.deepEqual([res.body.error, res.body.code], ['Solicitud demasiado grande', 'too_large']);
    });

    it('answers 413 «Solicitud demasiado grande» to 2 MB without Content-Length', async () => {
      const res = await refused(json(2 * MIB), { 'Transfer-Encoding': 'chunked' });

      assert.equal(res.status, 413);
    });

    it('answers 413 «Solicitud demasiado grande» to 2 kB of gzip that decompress to 2 MB', async () => {
      const res = await refused(gzipSync(json(2 * MIB)), { 'Content-Encoding': 'gzip' });

      assert.equal(res.status, 413);
    });

    it('answers 413 «Solicitud demasiado grande» to a compression bomb of 50 MB without decompressing all of it', async () => {
      const bomb = Buffer.from(json(50 * MIB));
      const before = process.memoryUsage().rss;

      const responses = [
        await refused(brotliCompressSync(bomb), { 'Content-Encoding': 'br' }),
        await refused(deflateSync(bomb), { 'Content-Encoding': 'deflate' }),
        await refused(gzipSync(bomb), { 'Content-Encoding': 'gzip' }),
      ];

      assert.deepEqual(
        responses.map(({ status }) => status),
        [413, 413, 413],
      );
      // This process also creates the bodies.
      assert.ok(process.memoryUsage().rss - before < 400 * MIB);
    });

    it('answers 415 «Tipo de contenido no admitido» to an unknown encoding', async () => {
      const res = await refused(json(10), { 'Content-Encoding': 'zstd' });

      assert.deepEqual([res.status, res.body.error], [415, 'Tipo de contenido no admitido']);
    });

    it('answers 413 to a client that reads only after sending 20 MB', async () => {
      const res = await refused(json(20 * MIB));

      assert.equal(res.status, 413);
    });

    it('accepts 1 MiB', async () => {
      const res = await refused(json(MIB - 64));

      assert.equal(res.status, 400);
      assert.equal(res.body.error, 'contactName: debe tener como máximo 200 caracteres');
    });

    it('answers 401 before reading a body of 2 MB', async () => {
      const res = await app.post('/api/clients', json(2 * MIB));

      assert.equal(res.status, 401);
    });
  });
});
