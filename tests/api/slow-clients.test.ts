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

/** A hundredth of what production has, but for what a busy machine needs. Milliseconds. */
const IMPATIENT = { headersMs: 400, requestMs: 1_000, idleMs: 700, responseMs: 1_500, keepAliveMs: 2_000 };
const DRIP_MS = 40;

interface Served {
  readonly port: number;
  close(): void;
}

describe('clients that drip', () => {
  let serve: (patience: typeof CLIENT_TIMEOUTS) => Promise<Served>;
  let impatient: Served;
  let key: string;

  before(async () => {
    const { deps } = await service();
    const { as } = await build.member(await build.business());
    key = as['Authorization'] ?? '';
    const handle = createApp(deps).callback();
    serve = async (patience) => {
      const server = createHttpServer((req, res) => void handle(req, res), patience);
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      const close = () => {
        server.closeAllConnections();
        server.close();
      };
      // The port is known once the server listens.
      return { port: (server.address() as AddressInfo).port, close };
    };
    impatient = await serve(IMPATIENT);
  });
  after(() => impatient.close());

  interface End {
    readonly text: string;
    readonly ms: number;
  }

  /** Sends the first text at once and the rest byte by byte, for ever; how and when the server ended it. */
  function drip(first: string, rest: () => string, { port } = impatient): Promise<End> {
    const began = performance.now();
    return new Promise((resolve) => {
      let text = '';
      const socket: Socket = connect(port, '127.0.0.1', () => socket.write(first));
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

  it('their headers are cut off with 408 a little after the limit', async () => {
    const dripping = drip('GET /api/quotes HTTP/1.1\r\nHost: x\r\n', () => 'X');

    const { text, ms } = await inTime(5 * IMPATIENT.headersMs, dripping);

    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.ok(ms >= IMPATIENT.headersMs - DRIP_MS, `${ms} ms`);
  });

  it('their request line too', async () => {
    const { text } = await inTime(
      5 * IMPATIENT.headersMs,
      drip('GET /', () => 'a'),
    );

    assert.match(text, /^HTTP\/1\.1 408 /);
  });

  it('their body too, with a length and in chunks, and nothing is stored', async () => {
    const dripping = Promise.all([
      drip(`${head()}Content-Length: 1000000\r\n\r\n{"contactName":"`, () => 'a'),
      drip(`${head()}Transfer-Encoding: chunked\r\n\r\n`, () => '1\r\na\r\n'),
    ]);

    const ends = await inTime(5 * IMPATIENT.requestMs, dripping);

    assert.ok(ends.every(({ text }) => !text.startsWith('HTTP/1.1 2')));
    assert.ok(
      ends.every(({ ms }) => ms >= IMPATIENT.requestMs - DRIP_MS),
      JSON.stringify(ends.map(({ ms }) => ms)),
    );
    const { body } = await httpClient(`http://127.0.0.1:${impatient.port}`).get('/api/clients', { Authorization: key });
    assert.equal(body.total, 0);
  });

  it('a connection that says nothing is closed', async () => {
    await inTime(
      5 * IMPATIENT.idleMs,
      drip('', () => ''),
    );
  });

  it('two hundred of them keep nobody else from an answer', async () => {
    // With production's patience, so that all of them are still there.
    const server = await serve(CLIENT_TIMEOUTS);
    const slowly = Array.from({ length: 200 }, () =>
      drip('GET /api/quotes HTTP/1.1\r\nHost: x\r\n', () => 'X', server),
    );

    const { port } = server;
    const asked = httpClient(`http://127.0.0.1:${port}`).get('/api/quotes', { Authorization: key });
    const res = await inTime(2_000, asked);

    assert.equal(res.status, 200);
    server.close();
    const ends = await Promise.all(slowly);
    assert.ok(ends.every(({ text }) => text === ''));
  });

  it('are given ten seconds for headers and thirty for the whole request in production', () => {
    assert.deepEqual([CLIENT_TIMEOUTS.headersMs, CLIENT_TIMEOUTS.requestMs], [10_000, 30_000]);
  });
});

describe('clients that read slowly', function slow() {
  this.timeout(60_000);
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  after(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Milliseconds until the server gave up on an answer without end, of which the client reads all or nothing. */
  async function givenUpAfter(patience: typeof CLIENT_TIMEOUTS, read: (socket: Socket) => void): Promise<number> {
    let over: (ms: number) => void;
    const ended = new Promise<number>((resolve) => {
      over = resolve;
    });
    const server = createHttpServer((_, res) => {
      const began = performance.now();
      res.once('close', () => over(performance.now() - began));
      Readable.from(endless()).pipe(res);
    }, patience);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // The port is known once the server listens.
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    sockets.push(socket);
    socket.on('error', () => undefined);
    read(socket);
    return inTime(10_000, ended);
  }

  it('are cut off when they read nothing, once the answer made no progress for the idle time', async () => {
    const ms = await givenUpAfter({ ...CLIENT_TIMEOUTS, idleMs: IMPATIENT.idleMs }, (socket) => socket.pause());

    assert.ok(ms >= IMPATIENT.idleMs - DRIP_MS, `${ms} ms`);
  });

  it('are cut off at the end of the time for a response although they go on reading', async () => {
    const ms = await givenUpAfter({ ...CLIENT_TIMEOUTS, responseMs: IMPATIENT.responseMs }, (socket) =>
      socket.resume(),
    );

    assert.ok(ms >= IMPATIENT.responseMs - DRIP_MS, `${ms} ms`);
  });

  it('have ten minutes for a response and one without progress in production', () => {
    assert.deepEqual([CLIENT_TIMEOUTS.responseMs, CLIENT_TIMEOUTS.idleMs], [600_000, 60_000]);
  });
});

async function* endless() {
  for (;;) {
    yield Buffer.alloc(64 * 1024, 'a');
    await sleep(5);
  }
}
