import assert from 'node:assert/strict';
import * as build from './build.ts';
import { devService, type Service } from './service.ts';

describe('/dev/sink/:name', () => {
  let app: Service;
  before(async () => {
    app = await devService();
  });

  const signaturesIn = async (name: string): Promise<unknown[]> => {
    const { calls } = (await app.get(`/dev/sink/${name}`)).body;
    return calls.map((call: { signature: unknown }) => call.signature);
  };

  /** Creates a webhook to that sink and one delivery. */
  async function tested(name: string, query = '') {
    const { owner } = await build.business();
    const url = `${app.url}/dev/sink/${name}${query}`;
    const hook = await app.post('/api/webhooks', { url, events: ['quote.created'] }, owner);
    const response = await app.post(`/api/webhooks/${hook.body.id}/test`, undefined, owner);
    return { owner, hook: hook.body, response };
  }

  it('shows a delivery with headers and body, and a valid signature once the secret is known', async () => {
    const { hook, response } = await tested('uno');
    const before = await signaturesIn('uno');
    await app.request('PUT', '/dev/sink/uno', { body: { secret: hook.secret } });

    const { calls } = (await app.get('/dev/sink/uno')).body;
    assert.deepEqual(response.body, { success: true, statusCode: 200 });
    assert.deepEqual(before, ['unknown']);
    assert.equal(calls[0].signature, 'valid');
    assert.equal(calls[0].headers['x-service-event'], 'webhook.test');
    assert.equal(JSON.parse(calls[0].body).event, 'webhook.test');
  });

  it('reports unsigned calls and invalid signatures', async () => {
    const { hook } = await tested('dos');
    await app.request('PUT', '/dev/sink/dos', { body: { secret: hook.secret } });
    const { headers, body } = (await app.get('/dev/sink/dos')).body.calls[0];
    const { 'content-length': _, host: __, connection: ___, ...copied } = headers;

    await app.request('POST', '/dev/sink/dos', { body: body.replace('webhook.test', 'webhook.tesu'), headers: copied });
    await app.post('/dev/sink/dos', { any: 'thing' });

    assert.deepEqual(await signaturesIn('dos'), ['unsigned', 'invalid', 'valid']);
  });

  it('answers with the status and delay of its query', async () => {
    const startedAt = performance.now();

    const { response } = await tested('tres', '?status=500&delay=700');

    assert.deepEqual(response.body, { success: false, statusCode: 500 });
    assert.ok(performance.now() - startedAt >= 700);
  });

  it('answers 400 to an invalid status, delay or secret', async () => {
    const responses = [
      await app.post('/dev/sink/x?status=99', {}),
      await app.post('/dev/sink/x?delay=99999', {}),
      await app.request('PUT', '/dev/sink/x', { body: { secret: 'x' } }),
      await app.request('PUT', '/dev/sink/x', { body: '{"secret":' }),
    ];

    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.error]),
      [
        [400, 'status: debe ser un entero de 200 a 599'],
        [400, 'delay: debe ser un entero de 0 a 30000'],
        [400, 'secret: debe comenzar con whsec_'],
        [400, 'secret: debe comenzar con whsec_'],
      ],
    );
  });

  it('escapes received content in its page, whose policy forbids scripts', async () => {
    await app.post('/dev/sink/<b>', '<script>alert(1)</script>', { 'X-Header': '<img src=x>' });

    const res = await app.get('/dev/sink/%3Cb%3E', { Accept: 'text/html' });

    const page = res.bytes.toString();
    assert.match(res.headers.get('Content-Security-Policy') ?? '', /default-src 'none'/);
    assert.ok(!/<script|<img|«<b>»/.test(page));
    assert.match(page, /&lt;script&gt;alert/);
    assert.match(page, /sin firma/);
  });

  it('accepts the secret by the form of its page, and DELETE removes all calls', async () => {
    const { hook } = await tested('cuatro');
    const form = await app.request('POST', '/dev/sink/cuatro/secret', {
      body: new URLSearchParams({ secret: hook.secret }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    const results = await signaturesIn('cuatro');
    await app.request('DELETE', '/dev/sink/cuatro');

    assert.deepEqual([form.status, form.headers.get('Location')], [303, '/dev/sink/cuatro']);
    assert.deepEqual(results, ['valid']);
    assert.deepEqual(await signaturesIn('cuatro'), []);
    assert.ok((await app.get('/dev/sink')).body.names.includes('uno'));
  });
});
