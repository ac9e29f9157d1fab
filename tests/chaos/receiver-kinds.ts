import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { SMTPServer } from 'smtp-server';
import type { DeliveryStatus, NoAnswer } from '../../domain/http-delivery.ts';

/** Kinds of users' endpoints, down to the bytes, and the outcome of a delivery to each of them. */
export interface ReceiverKind {
  readonly name: string;
  readonly serve: () => Promise<Serving>;
  readonly status: Exclude<DeliveryStatus, 'PENDING'>;
  readonly statusCode: number;
  readonly errorCode: NoAnswer | null;
  readonly body: string;
  /** Attempts until it ends, when one pause is configured. */
  readonly attempts: 1 | 2;
}

export interface Serving {
  readonly url: string;
  /** Connections to a forbidden target. */
  readonly forbidden: () => number;
  readonly close: () => Promise<void>;
}

const KIB = 1024;
const GZIP_BOMB = gzipSync(Buffer.alloc(64 * KIB * KIB));
const head = (status: string, ...headers: readonly string[]) => [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');
const whole = (status: string, body: Buffer | string) =>
  Buffer.concat([Buffer.from(head(status, `content-length: ${Buffer.byteLength(body)}`)), Buffer.from(body)]);

/** Sends this after a request. */
const saying = (bytes: Buffer | string) => tcp((socket) => socket.once('data', () => socket.end(bytes)));
/** Sends this, and then something more each second for as long as the caller listens. */
const dripping = (bytes: string, more: string) =>
  tcp((socket) => {
    socket.write(bytes);
    const drip = setInterval(() => socket.write(more), 1_000);
    socket.on('close', () => clearInterval(drip));
  });

const delivered = { status: 'DELIVERED', errorCode: null, attempts: 1 } as const;
const refused = { status: 'EXHAUSTED', errorCode: null, attempts: 2 } as const;
const silent = { status: 'EXHAUSTED', statusCode: 0, body: '', attempts: 2 } as const;

/** The twelve with which the worker's memory is measured. */
export const HOSTILE_KINDS: readonly ReceiverKind[] = [
  { name: '500', serve: saying(whole('500 Oops', 'no')), ...refused, statusCode: 500, body: 'no' },
  { name: 'hang', serve: tcp(() => undefined), ...silent, errorCode: 'timeout' },
  {
    name: 'one byte of the body a second',
    serve: dripping(head('200 OK', 'content-length: 9999'), 'x'),
    ...silent,
    errorCode: 'timeout',
  },
  {
    name: 'reset',
    serve: tcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
    ...silent,
    errorCode: 'reset',
  },
  { name: 'a redirect to loopback', serve: redirecting, ...refused, statusCode: 302, body: '' },
  {
    name: 'ten megabytes',
    serve: saying(whole('200 OK', 'x'.repeat(10 * KIB * KIB))),
    ...delivered,
    statusCode: 200,
    body: 'x'.repeat(4 * KIB),
  },
  {
    name: 'a gzip bomb',
    serve: saying(
      Buffer.concat([
        Buffer.from(head('200 OK', 'content-encoding: gzip', `content-length: ${GZIP_BOMB.length}`)),
        GZIP_BOMB,
      ]),
    ),
    ...delivered,
    statusCode: 200,
    // As received: nothing was decompressed.
    body: GZIP_BOMB.subarray(0, 4 * KIB)
      .toString('utf8')
      .replace(/[\0\uFFFD]/g, ''),
  },
  { name: 'NUL', serve: saying(whole('200 OK', 'a\0b\0')), ...delivered, statusCode: 200, body: 'ab' },
  {
    name: 'bad UTF-8',
    serve: saying(whole('200 OK', Buffer.from([0x61, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x62]))),
    ...delivered,
    statusCode: 200,
    body: 'a(b',
  },
  {
    name: '410',
    serve: saying(whole('410 Gone', 'adiós')),
    ...refused,
    statusCode: 410,
    body: 'adiós',
    attempts: 1,
  },
  { name: 'a self-signed certificate', serve: selfSigned, ...silent, errorCode: 'tls' },
  { name: 'a name that does not resolve', serve: async () => nowhere('nadie.invalid'), ...silent, errorCode: 'dns' },
];

export const OTHER_KINDS: readonly ReceiverKind[] = [
  { name: '204', serve: saying(head('204 No Content')), ...delivered, statusCode: 204, body: '' },
  { name: '304', serve: saying(head('304 Not Modified')), ...refused, statusCode: 304, body: '' },
  { name: '404', serve: saying(whole('404 Not Found', '¿qué?')), ...refused, statusCode: 404, body: '¿qué?' },
  {
    name: 'one header a second',
    serve: dripping('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'),
    ...silent,
    errorCode: 'timeout',
  },
  {
    name: 'headers without end',
    serve: saying(head('200 OK', `x-a: ${'b'.repeat(100 * KIB)}`)),
    ...silent,
    errorCode: 'protocol',
  },
  { name: 'no HTTP', serve: saying('SSH-2.0-OpenSSH_9.9\r\n'), ...silent, errorCode: 'protocol' },
  {
    name: 'a reset within the answer',
    serve: tcp((socket) =>
      socket.once('data', () => socket.write(`${head('200 OK', 'content-length: 100')}half`, () => reset(socket))),
    ),
    ...silent,
    errorCode: 'reset',
  },
  {
    name: 'a reset after the answer',
    serve: tcp((socket) => socket.once('data', () => socket.write(whole('200 OK', 'ok'), () => reset(socket)))),
    ...delivered,
    statusCode: 200,
    body: 'ok',
  },
  {
    name: 'a body without end',
    serve: tcp((socket) =>
      socket.once('data', () => {
        const chunk = Buffer.alloc(16 * KIB, 'y');
        const more = () => {
          while (socket.writable && socket.write(chunk));
        };
        socket.write(head('200 OK'));
        socket.on('drain', more);
        more();
      }),
    ),
    ...delivered,
    statusCode: 200,
    body: 'y'.repeat(4 * KIB),
  },
  { name: 'a port without a server', serve: async () => nowhere('127.0.0.1:1'), ...silent, errorCode: 'refused' },
];

const nowhere = (host: string): Serving => ({
  url: `http://${host}/aviso`,
  forbidden: () => 0,
  close: async () => undefined,
});

/** Later than anything written has arrived. */
const reset = (socket: Socket) => setTimeout(() => socket.resetAndDestroy(), 100);

/** A server on loopback with a given behaviour on its sockets. */
function tcp(onSocket: (socket: Socket) => void): () => Promise<Serving> {
  return async () => {
    const server = await listening(onSocket);
    return { url: `http://127.0.0.1:${server.port}/aviso`, forbidden: () => 0, close: server.close };
  };
}

async function redirecting(): Promise<Serving> {
  const inner = await listening((socket) => socket.end());
  const outer = await listening((socket) =>
    socket.once('data', () =>
      socket.end(head('302 Found', `location: http://127.0.0.1:${inner.port}/`, 'content-length: 0')),
    ),
  );
  return {
    url: `http://127.0.0.1:${outer.port}/aviso`,
    forbidden: inner.connections,
    close: async () => {
      await Promise.all([inner.close(), outer.close()]);
    },
  };
}

/** TLS with the certificate that the library contains for its tests. */
async function selfSigned(): Promise<Serving> {
  const server = new SMTPServer({ secure: true });
  server.on('error', () => undefined);
  const listener: Server = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    listener.once('listening', resolve);
  });
  const { port } = listener.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/aviso`,
    forbidden: () => 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

async function listening(onSocket: (socket: Socket) => void) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    // A socket that is never read does not notice that the peer has closed it.
    socket.on('data', () => undefined);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // The port is known once the server listens.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connections: () => connections,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
