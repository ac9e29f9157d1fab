import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, each, edit, QuotingError, unwrap } from '../../packages/client/client.ts';
import { verifyServiceSignature, verifyWebhook, WebhookError } from '../../packages/client/webhooks.ts';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { service } from '../api/service.ts';

/** A server that gives these responses in order, the last one repeatedly, and records the keys it received. */
async function answering(...answers: readonly ((res: ServerResponse, req: IncomingMessage) => void)[]) {
  const keys: (string | undefined)[] = [];
  const server = createServer((req, res) => {
    keys.push([req.headers['idempotency-key']].flat()[0]);
    req.resume().on('end', () => answers[Math.min(keys.length, answers.length) - 1]?.(res, req));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // The port is known once the server listens.
  const { port } = server.address() as AddressInfo;
  return {
    client: createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'svc_x' }),
    keys,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

const refusing =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  (res: ServerResponse) =>
    res
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify({ error: 'No', code, requestId: 'r1' }));
const accepting = (res: ServerResponse) =>
  res.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify({ id: 'c1' }));
const hangingUp = (_: ServerResponse, req: IncomingMessage) => req.socket.destroy();

const create = ({ client }: Awaited<ReturnType<typeof answering>>) =>
  unwrap(client.POST('/api/v1/clients', { body: { contactName: 'Ana' } }));

describe('typed client', () => {
  it('repeats a POST under the same Idempotency-Key, after the seconds of Retry-After', async () => {
    await using server = await answering(refusing(429, 'rate_limited', { 'Retry-After': '1' }), accepting);
    const startedAt = performance.now();

    const made = await create(server);

    assert.equal(made.id, 'c1');
    assert.equal(server.keys.length, 2);
    assert.match(server.keys[0] ?? '', /^[\w-]{36}$/);
    assert.equal(server.keys[1], server.keys[0]);
    assert.ok(performance.now() - startedAt >= 950);
  });

  it('repeats a POST after 503, without a response and while the first one still runs', async () => {
    const soon = { 'Retry-After': '0' };
    await using away = await answering(refusing(503, 'unavailable', soon), accepting);
    await using cut = await answering(hangingUp, accepting);
    await using running = await answering(refusing(409, 'request_in_progress', soon), accepting);

    const made = await Promise.all([create(away), create(cut), create(running)]);

    assert.deepEqual(
      made.map(({ id }) => id),
      ['c1', 'c1', 'c1'],
    );
  });

  it('gives up after two more tries with the message, code and request id of the last response', async () => {
    await using server = await answering(refusing(503, 'unavailable', { 'Retry-After': '0' }));

    const refused = await create(server).catch((error: unknown) => error);

    assert.ok(refused instanceof QuotingError);
    const { status, code, message, requestId } = refused;
    assert.deepEqual(
      { status, code, message, requestId },
      { status: 503, code: 'unavailable', message: 'No', requestId: 'r1' },
    );
    assert.equal(server.keys.length, 3);
  });

  it('does not repeat final errors: mail_failed, a conflict, and a wait longer than half a minute', async () => {
    await using mail = await answering(refusing(500, 'mail_failed'), accepting);
    await using conflict = await answering(refusing(409, 'conflict'), accepting);
    await using long = await answering(refusing(429, 'rate_limited', { 'Retry-After': '3600' }), accepting);

    const refused = await Promise.allSettled([create(mail), create(conflict), create(long)]);

    assert.deepEqual(
      refused.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    );
    assert.deepEqual(
      [mail, conflict, long].map(({ keys }) => keys.length),
      [1, 1, 1],
    );
  });

  it('sends a PATCH once, whatever the response', async () => {
    await using server = await answering(refusing(503, 'unavailable', { 'Retry-After': '0' }), accepting);

    const params = { path: { id: 'c1' } };
    await assert.rejects(unwrap(server.client.PATCH('/api/v1/clients/{id}', { params, body: { notes: 'x' } })));

    assert.equal(server.keys.length, 1);
  });

  it('edits a record once more from the start when somebody else changed it, and gives up after three times', async () => {
    const reading = (etag: string) => (res: ServerResponse) =>
      res.writeHead(200, { 'Content-Type': 'application/json', ETag: etag }).end(JSON.stringify({ notes: etag }));
    const changed = refusing(412, 'version_mismatch');
    await using twice = await answering(reading('"1"'), changed, reading('"2"'), accepting);
    await using always = await answering(reading('"1"'), changed, reading('"2"'), changed, reading('"3"'), changed);
    const params = { path: { id: 'c1' } };
    const written: string[] = [];
    const change = ({ client }: typeof twice) =>
      edit(
        () => client.GET('/api/v1/clients/{id}', { params }),
        ({ notes }, headers) => {
          written.push(`${notes} ${headers['If-Match']}`);
          return client.PATCH('/api/v1/clients/{id}', { params, headers, body: { notes: 'x' } });
        },
      );

    const edited = await change(twice);
    const refused: unknown = await change(always).catch((error: unknown) => error);

    assert.equal(edited.id, 'c1');
    assert.ok(refused instanceof QuotingError);
    assert.deepEqual([refused.status, always.keys.length], [412, 6]);
    assert.deepEqual(written, ['"1" "1"', '"2" "2"', '"1" "1"', '"2" "2"', '"3" "3"']);
  });

  it('has no effect twice in the service when a response was lost', async () => {
    const { url } = await service();
    const business = await build.business();
    const { as } = await build.member(business, { role: 'OWNER' });
    let lost = 0;
    const client = createClient({
      baseUrl: url,
      apiKey: as['Authorization']?.replace('Bearer ', '') ?? '',
      async fetch(request) {
        const answer = await fetch(request);
        if (answer.status !== 201 || lost > 0) return answer;
        lost += 1;
        throw new TypeError('the connection was cut');
      },
    });

    await unwrap(client.POST('/api/v1/clients', { body: { contactName: 'Una sola vez' } }));
    const { total } = await unwrap(client.GET('/api/v1/clients', { params: { query: { search: 'Una sola vez' } } }));

    assert.deepEqual([lost, total], [1, 1]);
  });

  it('walks every page of a list, and returns no record twice', async () => {
    const { url } = await service();
    const business = await build.business();
    const { as } = await build.member(business, { role: 'OWNER' });
    const api = createClient({ baseUrl: url, apiKey: as['Authorization']?.replace('Bearer ', '') ?? '' });
    for (const contactName of ['Ana', 'Beto', 'Carla', 'Delia', 'Eva']) {
      await unwrap(api.POST('/api/v1/clients', { body: { contactName } }));
    }

    const names: string[] = [];
    for await (const { contactName } of each(api, '/api/v1/clients', { query: { limit: 2 } })) {
      names.push(contactName);
      // Records created meanwhile shift the pages.
      if (names.length === 1) await unwrap(api.POST('/api/v1/clients', { body: { contactName: 'Fidel' } }));
    }

    assert.deepEqual(names, ['Eva', 'Delia', 'Carla', 'Beto', 'Ana']);
  });
});

describe('webhook verifier of the client', () => {
  async function delivery() {
    const app = await service();
    const { owner } = await build.business();
    await using endpoint = await receiver();
    const hook = await app.post('/api/webhooks', { url: endpoint.url, events: ['quote.created'] }, owner);
    await app.post(`/api/webhooks/${hook.body.id}/test`, undefined, owner);
    const [call] = endpoint.calls;
    assert.ok(call);
    return { secret: String(hook.body.secret), headers: call.headers, body: call.body };
  }

  it('returns the event of a delivery of the service, with its id', async () => {
    const real = await delivery();

    const { id, event } = verifyWebhook(real);

    assert.deepEqual([id, event], [real.headers['webhook-id'], 'webhook.test']);
    const simple = String(real.headers['x-service-signature']);
    assert.ok(verifyServiceSignature(real.secret, real.body, simple));
    assert.ok(!verifyServiceSignature(real.secret, `${real.body} `, simple));
  });

  it('rejects a changed byte, another secret, a missing header and an old timestamp', async () => {
    const real = await delivery();
    const { 'webhook-id': _, ...without } = real.headers;

    const forged = [
      { ...real, body: real.body.replace('webhook.test', 'webhook.tesu') },
      { ...real, secret: 'whsec_AAAA' },
      { ...real, headers: without },
      { ...real, headers: { ...real.headers, 'webhook-timestamp': '1614265330' } },
    ];

    for (const each of forged) assert.throws(() => verifyWebhook(each), WebhookError);
  });

  it('rejects what is signed with an empty key, when it has no secret', () => {
    const at = String(Math.floor(Date.now() / 1000));
    const body = '{"event":"webhook.test"}';
    const hmac = createHmac('sha256', '').update(`evt_1.${at}.${body}`).digest('base64');
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': at, 'webhook-signature': `v1,${hmac}` };

    for (const secret of ['', 'whsec_']) {
      assert.throws(() => verifyWebhook({ secret, headers, body }), /secret is empty/);
    }
    assert.ok(!verifyServiceSignature('', body, createHmac('sha256', '').update(body).digest('hex')));
  });
});
