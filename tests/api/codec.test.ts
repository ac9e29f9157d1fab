import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { createCodecApp } from '../../api/codec/app.ts';
import { jsonOf } from '../../api/codec/payload-json.ts';
import { createCodecSessions } from '../../api/codec/session.ts';
import { createLog } from '../../adapters/log.ts';
import { createPayloadCodec } from '../../adapters/temporal/payload-codec.ts';

const UI = 'http://127.0.0.1:8233';
const TOKEN = randomBytes(32).toString('base64url');
const BEARER = { Authorization: `Bearer ${TOKEN}` };

/** Sends JSON across origins with the namespace in a header, like the Temporal UI. */
describe('The codec server', () => {
  const codec = createPayloadCodec(`k1:${randomBytes(32).toString('base64')}`);
  let server: Server;
  let url: string;
  let now = Date.now();

  before(async () => {
    const sessions = createCodecSessions(TOKEN, () => now);
    const log = createLog({ level: 'silent', name: 'codec' });
    const handle = createCodecApp({ codec, sessions, uiOrigin: UI, secure: false, log }).callback();
    server = createServer((request, response) => void handle(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    // A listening TCP server has an AddressInfo.
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    now = Date.now();
  });

  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Namespace': 'default', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'manual',
    });
  const encrypted = async (...values: unknown[]) =>
    jsonOf(await codec.encode(values.map((value): Payload => defaultPayloadConverter.toPayload(value) ?? {})));
  const signIn = (token: string, headers: Readonly<Record<string, string>> = {}) =>
    post('/login', new URLSearchParams({ token }).toString(), {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...headers,
    });

  it('decodes encrypted payloads for the UI in their order, also mixed with plain ones', async () => {
    const { payloads } = await encrypted({ quoteId: 'c1' }, 'dos');
    const open = jsonOf([defaultPayloadConverter.toPayload('llano') ?? {}]).payloads;

    const answer = await post('/decode', { payloads: [...payloads, ...open] }, { ...BEARER, Origin: UI });

    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('access-control-allow-origin'), UI);
    assert.equal(answer.headers.get('access-control-allow-credentials'), 'true');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const json = Buffer.from('json/plain').toString('base64');
    assert.deepEqual(await answer.json(), {
      payloads: ['{"quoteId":"c1"}', '"dos"', '"llano"'].map((text) => ({
        metadata: { encoding: json },
        data: Buffer.from(text).toString('base64'),
      })),
    });
  });

  it('encodes payloads of the UI so that only the worker can decrypt them', async () => {
    const open = jsonOf([defaultPayloadConverter.toPayload('señal') ?? {}]);

    const answer = await post('/encode', open, BEARER);

    // As encoded by jsonOf().
    const sealed = (await answer.json()) as typeof open;
    assert.equal(
      Buffer.from(sealed.payloads[0]?.metadata?.['encoding'] ?? '', 'base64').toString(),
      'binary/encrypted',
    );
    assert.deepEqual(await (await post('/decode', sealed, BEARER)).json(), open);
  });

  it('allows the UI’s origin and no other', async () => {
    const ask = (origin: string) =>
      fetch(`${url}/decode`, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'content-type,x-namespace',
        },
      });

    const [ui, other, none] = await Promise.all([ask(UI), ask('https://otro.example'), ask('null')]);
    const posted = await post('/decode', await encrypted('x'), { ...BEARER, Origin: 'https://otro.example' });

    assert.equal(ui.status, 204);
    assert.equal(ui.headers.get('access-control-allow-origin'), UI);
    assert.match(ui.headers.get('access-control-allow-headers') ?? '', /content-type.*x-namespace/);
    assert.deepEqual([other.status, none.status, posted.status], [403, 403, 403]);
    assert.deepEqual(
      [other, none, posted].map(({ headers }) => headers.get('access-control-allow-origin')),
      [null, null, null],
    );
  });

  it('answers 401 «No autorizado» without a token, with a wrong one and with a forged cookie', async () => {
    const body = await encrypted('x');
    const tomorrow = Math.floor(Date.now() / 1000) + 86_400;

    const answers = await Promise.all([
      post('/decode', body),
      post('/decode', body, { Authorization: 'Bearer otra' }),
      post('/decode', body, { Authorization: `Basic ${TOKEN}` }),
      post('/decode', body, { Cookie: `quoting.codec=${tomorrow}.abc` }),
      post('/encode', body),
    ]);

    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 401, 401, 401],
    );
    assert.deepEqual(await answers[0]?.json(), { error: 'No autorizado' });
  });

  it('accepts the cookie of its sign-in page for 12 hours and redirects to the UI', async () => {
    const signedIn = await signIn(TOKEN, { 'Sec-Fetch-Site': 'same-origin' });
    const cookie = signedIn.headers.get('set-cookie') ?? '';
    const headers = { Cookie: cookie.split(';')[0] ?? '', Origin: UI };
    const fresh = await post('/decode', await encrypted('x'), headers);
    now += 12 * 3_600_000 + 1_000;
    const stale = await post('/decode', await encrypted('x'), headers);

    assert.deepEqual([signedIn.status, signedIn.headers.get('location')?.replace(/\/$/, '')], [303, UI]);
    assert.match(cookie, /; HttpOnly; SameSite=Lax$/);
    assert.ok(!cookie.includes(TOKEN));
    assert.deepEqual([fresh.status, stale.status], [200, 401]);
  });

  it('refuses a wrong token and forms of other sites on the sign-in page', async () => {
    const wrong = await signIn('otra');
    const foreign = await signIn(TOKEN, { 'Sec-Fetch-Site': 'cross-site' });

    assert.deepEqual([wrong.status, wrong.headers.get('set-cookie')], [401, null]);
    assert.match(await wrong.text(), /No es la clave/);
    assert.deepEqual([foreign.status, foreign.headers.get('set-cookie')], [403, null]);
  });

  it('explains invalid requests: no JSON, no payloads, wrong type, wrong method, unknown key, too large', async () => {
    const other = createPayloadCodec(`k1:${randomBytes(32).toString('base64')}`);
    const foreign = jsonOf(await other.encode([defaultPayloadConverter.toPayload('x') ?? {}]));

    const answers = [
      await post('/decode', '{', BEARER),
      await post('/decode', { payloads: [{ data: 5 }] }, BEARER),
      await post('/decode', foreign, BEARER),
      await post('/decode', '{}', { ...BEARER, 'Content-Type': 'text/plain' }),
      await fetch(`${url}/decode`, { headers: BEARER }),
      await post('/decode', `"${'x'.repeat(33 * 1024 * 1024)}"`, BEARER),
      await post('/otra', {}, BEARER),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 400, 400, 415, 405, 413, 404],
    );
  });
});
