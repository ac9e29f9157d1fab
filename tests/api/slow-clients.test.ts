import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../../api/app.ts';
import { createHttpServer, CLIENT_TIMEOUTS } from '../../api/http-server.ts';
import { inTime } from '../in-time.ts';
import * as build from './build.ts';
import { httpClient, service } from './service.ts';

/** About a hundredth of the production limits, with a margin for busy machines. */
const SHORT_TIMEOUTS = { headersMs: 400, requestMs: 1_000, idleMs: 700, responseMs: 1_500, keepAliveMs: 2_000 };
const DRIP_MS = 40;

interface Served {
  readonly port: number;
  close(): void;
}

describe('Slow senders', () => {
  let serve: (timeouts: typeof CLIENT_TIMEOUTS) => Promise<Served>;
  let strict: Served;
  let key: string;

  before(async () => {
    const { deps } = await service();
    const { as } = await build.member(await build.business());
    key = as['Authorization'] ?? '';
    const handle = createApp(deps).callback();
    serve = async (timeouts) => {
      const server = createHttpServer((req, res) => void handle(req, res), timeouts);
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      const close = () => {
        server.closeAllConnections();
        server.close();
      };
      // A listening TCP server has an AddressInfo.
      return { port: (server.address() as AddressInfo).port, close };
    };
    strict = await serve(SHORT_TIMEOUTS);
  });
  after(() => strict.close());

  interface End {
    readonly text: string;
    readonly ms: number;
  }

  /**
   * Sends the first text immediately and the rest byte by byte; returns how and when the server closed the connection.
   */
  function drip(first: string, rest: () => string, { port } = strict): Promise<End> {
    const began = performance.now();
    return new Promise((resolve) => {
      let text = '';
      const socket: Socket = connect(port, '127.0.0.1');
      // Queued before the first tick, so that a connection that opens late still sends it first.
      socket.write(first);
      const timer = setInterval(() => socket.write(rest()), DRIP_MS);
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      socket.on('error', () => undefined);
      socket.once('close', () => {
        clearInterval(timer);
        resolve({ text, ms: performance.now() - began });
      });
    });
  }

  const head = () =>
    `POST /api/clients HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nContent-Type: application/json\r\n`;

  it('slow headers get 408 shortly after the limit', async () => {
    const dripping = drip('GET /api/quotes HTTP/1.1\r\nHost: x\r\n', () => 'X');

    const { text, ms } = await inTime(5 * SHORT_TIMEOUTS.headersMs, dripping);

    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.ok(ms >= SHORT_TIMEOUTS.headersMs - DRIP_MS, `${ms} ms`);
  });

  it('a slow request line gets 408', async () => {
    const { text } = await inTime(
      5 * SHORT_TIMEOUTS.headersMs,
      drip('GET /', () => 'a'),
    );

    assert.match(text, /^HTTP\/1\.1 408 /);
  });

  it('a slow body, with Content-Length or chunked, gets 408 and nothing is stored', async () => {
    const dripping = Promise.all([
      drip(`${head()}Content-Length: 1000000\r\n\r\n{"contactName":"`, () => 'a'),
      drip(`${head()}Transfer-Encoding: chunked\r\n\r\n`, () => '1\r\na\r\n'),
    ]);

    const ends = await inTime(5 * SHORT_TIMEOUTS.requestMs, dripping);

    assert.ok(ends.every(({ text }) => !text.startsWith('HTTP/1.1 2')));
    assert.ok(
      ends.every(({ ms }) => ms >= SHORT_TIMEOUTS.requestMs - DRIP_MS),
      JSON.stringify(ends.map(({ ms }) => ms)),
    );
    const { body } = await httpClient(`http://127.0.0.1:${strict.port}`).get('/api/clients', { Authorization: key });
    assert.equal(body.total, 0);
  });

  it('a silent connection is closed', async () => {
    await inTime(
      5 * SHORT_TIMEOUTS.idleMs,
      drip('', () => ''),
    );
  });

  it('two hundred slow connections do not block other clients', async () => {
    // Longer limits than in production, so that all connections stay open on a slow machine.
    const server = await serve({ ...CLIENT_TIMEOUTS, headersMs: 120_000, requestMs: 120_000 });
    const slowly = Array.from({ length: 200 }, () =>
      drip('GET /api/quotes HTTP/1.1\r\nHost: x\r\n', () => 'X', server),
    );

    const { port } = server;
    const asked = httpClient(`http://127.0.0.1:${port}`).get('/api/quotes', { Authorization: key });
    const res = await inTime(2_000, asked);

    assert.equal(res.status, 200);
    assert.equal(await Promise.race([...slowly, Promise.resolve('all are open')]), 'all are open');
    server.close();
    await Promise.all(slowly);
  });

  it('production limits are ten seconds for headers and thirty for the request', () => {
    assert.deepEqual([CLIENT_TIMEOUTS.headersMs, CLIENT_TIMEOUTS.requestMs], [10_000, 30_000]);
  });
});

describe('Slow readers', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  after(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Milliseconds until the server aborts an endless response. */
  async function abortedAfterMs(timeouts: typeof CLIENT_TIMEOUTS, read: (socket: Socket) => void): Promise<number> {
    let over: (ms: number) => void;
    const ended = new Promise<number>((resolve) => {
      over = resolve;
    });
    const server = createHttpServer((_, res) => {
      const began = performance.now();
      res.once('close', () => over(performance.now() - began));
      Readable.from(endless()).pipe(res);
    }, timeouts);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A listening TCP server has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    sockets.push(socket);
    socket.on('error', () => undefined);
    read(socket);
    return inTime(10_000, ended);
  }

  it('are disconnected after the idle time without progress of the response', async () => {
    const ms = await abortedAfterMs({ ...CLIENT_TIMEOUTS, idleMs: SHORT_TIMEOUTS.idleMs }, (socket) => socket.pause());

    assert.ok(ms >= SHORT_TIMEOUTS.idleMs - DRIP_MS, `${ms} ms`);
  });

  it('are disconnected at the response timeout even if they keep reading', async () => {
    const ms = await abortedAfterMs({ ...CLIENT_TIMEOUTS, responseMs: SHORT_TIMEOUTS.responseMs }, (socket) =>
      socket.resume(),
    );

    assert.ok(ms >= SHORT_TIMEOUTS.responseMs - DRIP_MS, `${ms} ms`);
  });

  it('production limits are ten minutes for a response and one minute without progress', () => {
    assert.deepEqual([CLIENT_TIMEOUTS.responseMs, CLIENT_TIMEOUTS.idleMs], [600_000, 60_000]);
  });
});

async function* endless() {
  for (;;) {
    yield Buffer.alloc(64 * 1024, 'a');
    await sleep(5);
  }
}
