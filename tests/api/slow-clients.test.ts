import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../api/app.ts';
import { createHttpServer, PATIENCE } from '../../api/http-server.ts';
import * as build from './build.ts';
import { httpClient, service } from './service.ts';

/** A hundredth of what production has, but for what a busy machine needs. Milliseconds. */
const IMPATIENT = { headersMs: 400, requestMs: 1_000, idleMs: 700, keepAliveMs: 2_000 };
const DRIP_MS = 40;

describe('clients that drip', function slow() {
  this.timeout(60_000);
  let port: number;
  let close: () => void;
  let key: string;

  before(async () => {
    const { deps } = await service();
    const { as } = await build.member(await build.business());
    key = as['Authorization'] ?? '';
    const handle = createApp(deps).callback();
    const server = createHttpServer((req, res) => void handle(req, res), IMPATIENT);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    // The port is known once the server listens.
    ({ port } = server.address() as AddressInfo);
    close = () => {
      server.closeAllConnections();
      server.close();
    };
  });
  after(() => close());

  interface End {
    readonly text: string;
    readonly ms: number;
  }

  /** Sends the first text at once and the rest byte by byte, for ever; how and when the server ended it. */
  function drip(first: string, rest: () => string, reads = true): Promise<End> {
    const began = performance.now();
    return new Promise((resolve) => {
      let text = '';
      const socket: Socket = connect(port, '127.0.0.1', () => socket.write(first));
      const timer = setInterval(() => socket.write(rest()), DRIP_MS);
      if (reads) socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      else socket.pause();
      socket.on('error', () => undefined);
      socket.once('close', () => {
        clearInterval(timer);
        resolve({ text, ms: performance.now() - began });
      });
    });
  }

  const head = () =>
    `POST /api/clients HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nContent-Type: application/json\r\n`;

  it('their headers are cut off with 408 a little after the limit', async () => {
    const { text, ms } = await drip('GET /api/quotes HTTP/1.1\r\nHost: x\r\n', () => 'X');

    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.ok(ms >= IMPATIENT.headersMs - DRIP_MS && ms < 5 * IMPATIENT.headersMs, `${ms} ms`);
  });

  it('their request line too', async () => {
    const { text, ms } = await drip('GET /', () => 'a');

    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.ok(ms < 5 * IMPATIENT.headersMs, `${ms} ms`);
  });

  it('their body too, with a length and in chunks, and nothing is stored', async () => {
    const ends = await Promise.all([
      drip(`${head()}Content-Length: 1000000\r\n\r\n{"contactName":"`, () => 'a'),
      drip(`${head()}Transfer-Encoding: chunked\r\n\r\n`, () => '1\r\na\r\n'),
    ]);

    assert.ok(ends.every(({ text }) => !text.startsWith('HTTP/1.1 2')));
    assert.ok(
      ends.every(({ ms }) => ms >= IMPATIENT.requestMs - DRIP_MS && ms < 5 * IMPATIENT.requestMs),
      JSON.stringify(ends.map(({ ms }) => ms)),
    );
    const { body } = await httpClient(`http://127.0.0.1:${port}`).get('/api/clients', { Authorization: key });
    assert.equal(body.total, 0);
  });

  it('a connection that says nothing is closed', async () => {
    const { ms } = await drip('', () => '');

    assert.ok(ms < 5 * IMPATIENT.idleMs, `${ms} ms`);
  });

  it('two hundred of them keep nobody else from an answer', async () => {
    const slowly = Array.from({ length: 200 }, () => drip('GET /api/quotes HTTP/1.1\r\nHost: x\r\n', () => 'X'));
    const began = performance.now();

    const res = await httpClient(`http://127.0.0.1:${port}`).get('/api/quotes', { Authorization: key });

    const ms = performance.now() - began;
    await Promise.all(slowly);
    assert.equal(res.status, 200);
    assert.ok(ms < 2_000, `${ms} ms`);
  });

  it('are given ten seconds for headers and thirty for the whole request in production', () => {
    assert.deepEqual([PATIENCE.headersMs, PATIENCE.requestMs], [10_000, 30_000]);
  });
});
