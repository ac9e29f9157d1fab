import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createOutboundHttp } from '../../adapters/outbound-http/client.ts';
import type { Resolve } from '../../adapters/outbound-http/addresses.ts';
import { receiver } from '../api/receiver.ts';
import { inTime } from '../in-time.ts';
import { ELSEWHERE } from './elsewhere.ts';

const LOOPBACK = '127.0.0.0/8,::1/128';
const open = createOutboundHttp({ ...ELSEWHERE, OUTBOUND_ALLOW_CIDRS: LOOPBACK });
const guarded = (resolve: Resolve) => createOutboundHttp({ ...ELSEWHERE, OUTBOUND_ALLOW_CIDRS: '', resolve });

const request = (url: string, fields: object = {}) => ({
  url,
  body: '{"a":"ñ"}',
  headers: {},
  deadlineMs: 3_000,
  ...fields,
});
const v4 = (...addresses: string[]): LookupAddress[] => addresses.map((address) => ({ address, family: 4 }));

/** A listener with a given behaviour that counts its sockets. */
async function listener(onSocket: (socket: Socket) => void = (socket) => socket.end()) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

const head = 'HTTP/1.1 200 OK\r\n';

describe('outbound call', () => {
  it('sends the body unchanged, and returns status and body', async () => {
    await using target = await receiver((res) => res.writeHead(201, { 'retry-after': '7' }).end('hecho'));

    const answer = await open.post(request(target.url, { headers: { 'x-mine': '1' } }));

    assert.deepEqual(
      { ...answer, durationMs: 0 },
      { statusCode: 201, errorCode: null, body: 'hecho', retryAfter: '7', durationMs: 0 },
    );
    const [call] = target.calls;
    assert.deepEqual([call?.method, call?.path, call?.body], ['POST', '/aviso', '{"a":"ñ"}']);
    assert.equal(call?.headers['x-mine'], '1');
    assert.equal(call?.headers['accept-encoding'], 'identity');
  });

  describe('guard of an outbound call', () => {
    it('no connection is made to a literal address of this machine', async () => {
      await using canary = await listener();
      const outbound = guarded(() => Promise.reject(new Error('not to be asked')));

      const spellings = [
        `http://127.0.0.1:${canary.port}/`,
        `http://127.1:${canary.port}/`,
        `http://2130706433:${canary.port}/`,
        `http://0x7f.1:${canary.port}/`,
        `http://0:${canary.port}/`,
        `http://[::ffff:127.0.0.1]:${canary.port}/`,
        `http://[::1]:${canary.port}/`,
      ];
      const answers = await Promise.all(spellings.map((url) => outbound.post(request(url))));

      assert.deepEqual(
        answers.map(({ statusCode, errorCode }) => [statusCode, errorCode]),
        spellings.map(() => [0, 'blocked_address']),
      );
      assert.equal(canary.connections(), 0);
    });

    it('no connection is made when a name resolves to this machine', async () => {
      await using canary = await listener();

      const answer = await guarded(async () => v4('127.0.0.1')).post(
        request(`http://inocente.example:${canary.port}/`),
      );

      assert.deepEqual([answer.statusCode, answer.errorCode], [0, 'blocked_address']);
      assert.equal(canary.connections(), 0);
    });

    it('no connection is made when one of several addresses is of this machine', async () => {
      await using canary = await listener();

      const answer = await guarded(async () => v4('93.184.215.14', '127.0.0.1')).post(
        request(`http://mixto.example:${canary.port}/`),
      );

      assert.equal(answer.errorCode, 'blocked_address');
      assert.equal(canary.connections(), 0);
    });

    it('a name is resolved once: a resolver that changes its answer is ignored', async () => {
      await using canary = await listener();
      let asked = 0;
      // TEST-NET would be blocked; this one is public and does not respond here.
      const outbound = guarded(async () => ((asked += 1) === 1 ? v4('192.31.196.1') : v4('127.0.0.1')));

      const answer = await outbound.post(request(`http://cambia.example:${canary.port}/`, { deadlineMs: 300 }));

      assert.equal(asked, 1);
      assert.equal(answer.statusCode, 0);
      assert.notEqual(answer.errorCode, 'blocked_address');
      assert.equal(canary.connections(), 0);
    });

    it('the connection goes to the address that was checked, not to the name', async () => {
      await using target = await receiver();
      const outbound = createOutboundHttp({
        ...ELSEWHERE,
        OUTBOUND_ALLOW_CIDRS: LOOPBACK,
        resolve: async () => v4('127.0.0.1'),
      });

      const answer = await outbound.post(request(target.url.replace('127.0.0.1', 'solo-aqui.invalid')));

      assert.equal(answer.statusCode, 200);
      assert.match(target.calls[0]?.headers.host ?? '', /^solo-aqui\.invalid:/);
    });

    it('a redirect is not followed: its target receives nothing', async () => {
      await using canary = await listener();
      await using target = await receiver((res) => res.writeHead(302, { location: canary.url }).end());

      const answer = await open.post(request(target.url));

      assert.deepEqual([answer.statusCode, answer.errorCode], [302, null]);
      assert.equal(canary.connections(), 0);
    });

    it('every blocked target gives the same result', async () => {
      const outbound = guarded(async () => v4('10.0.0.1'));

      const answers = await Promise.all(
        ['http://10.0.0.1:80/', 'http://a.example/', 'http://169.254.169.254/', 'http://localhost/'].map((url) =>
          outbound.post(request(url)),
        ),
      );

      assert.equal(new Set(answers.map((answer) => JSON.stringify({ ...answer, durationMs: 0 }))).size, 1);
    });
  });

  describe('deadline of an outbound call', () => {
    const late = async (onSocket: (socket: Socket) => void) => {
      await using target = await listener(onSocket);
      const answer = await inTime(2_000, open.post(request(target.url, { deadlineMs: 250 })));
      assert.deepEqual([answer.statusCode, answer.errorCode], [0, 'timeout']);
    };

    it('covers resolving', async () => {
      const answer = await guarded(() => new Promise(() => undefined)).post(
        request('http://nunca.example/', { deadlineMs: 100 }),
      );

      assert.deepEqual([answer.statusCode, answer.errorCode], [0, 'timeout']);
    });

    it('covers headers that never come', () => late(() => undefined));

    it('covers headers that drip', () =>
      late((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const drip = setInterval(() => socket.write('x-a: b\r\n'), 20);
        socket.on('close', () => clearInterval(drip));
      }));

    it('covers a body that drips', () =>
      late((socket) => {
        socket.write(`${head}content-length: 10000\r\n\r\n`);
        const drip = setInterval(() => socket.write('x'), 20);
        socket.on('close', () => clearInterval(drip));
      }));

    it('covers a TLS handshake that never comes, and ends the connection', async () => {
      let close = (): void => undefined;
      const closed = new Promise<void>((resolve) => {
        close = resolve;
      });
      await using target = await listener((socket) => {
        socket.resume().on('close', () => close());
      });

      const answer = open.post(request(target.url.replace('http:', 'https:'), { deadlineMs: 250 }));

      const [{ statusCode, errorCode }] = await inTime(2_000, Promise.all([answer, closed]));
      assert.deepEqual([statusCode, errorCode], [0, 'timeout']);
    });
  });

  describe('error code of an outbound call without a response', () => {
    it('is refused when nothing listens', async () => {
      const gone = await listener();
      await gone[Symbol.asyncDispose]();

      assert.deepEqual((await open.post(request(gone.url))).errorCode, 'refused');
    });

    it('is reset when the connection breaks before the headers', async () => {
      await using target = await listener((socket) => socket.once('data', () => socket.resetAndDestroy()));

      assert.deepEqual((await open.post(request(target.url))).errorCode, 'reset');
    });

    it('is reset when it breaks within the body', async () => {
      await using target = await listener((socket) =>
        socket.once('data', () => socket.end(`${head}content-length: 100\r\n\r\nhalf`)),
      );

      const answer = await open.post(request(target.url));

      assert.deepEqual([answer.statusCode, answer.errorCode], [0, 'reset']);
    });

    it('is dns when the name does not resolve', async () => {
      const answer = await guarded(() => Promise.reject(new Error('ENOTFOUND'))).post(request('http://nada.example/'));

      assert.equal(answer.errorCode, 'dns');
    });

    it('is tls when the peer speaks no TLS', async () => {
      await using target = await receiver();

      assert.equal((await open.post(request(target.url.replace('http:', 'https:')))).errorCode, 'tls');
    });

    it('is protocol when the response is no HTTP', async () => {
      await using target = await listener((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.9\r\n')));

      assert.equal((await open.post(request(target.url))).errorCode, 'protocol');
    });

    it('is protocol when its headers have no end', async () => {
      await using target = await listener((socket) =>
        socket.once('data', () => socket.write(`${head}x-a: ${'b'.repeat(40_000)}\r\n\r\n`)),
      );

      assert.equal((await open.post(request(target.url))).errorCode, 'protocol');
    });

    it('is protocol when one of our headers cannot be sent', async () => {
      await using target = await receiver();

      const answer = await open.post(request(target.url, { headers: { 'x-a': 'b\r\nx-c: d' } }));

      assert.deepEqual([answer.statusCode, target.calls.length], [0, 0]);
    });
  });

  describe('stored part of a response body', () => {
    const bodyOf = async (bytes: Buffer) => {
      await using target = await receiver((res) => res.end(bytes));
      const answer = await open.post(request(target.url));
      assert.equal(answer.statusCode, 200);
      return answer.body;
    };

    it('has the first 4 KiB', async () => {
      assert.equal(await bodyOf(Buffer.from('x'.repeat(10_000))), 'x'.repeat(4096));
    });

    it('has no NUL and no invalid UTF-8', async () => {
      const bytes = Buffer.concat([
        Buffer.from('a\0ñ'),
        Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
        Buffer.from('é'),
      ]);

      assert.equal(await bodyOf(bytes), 'añ(é');
    });

    it('has whole characters only', async () => {
      assert.equal(await bodyOf(Buffer.from(`x${'ñ'.repeat(5_000)}`)), `x${'ñ'.repeat(2047)}`);
    });

    it('has nothing beyond 64 KiB: an endless body is cut off', async () => {
      let sent = 0;
      await using target = await receiver((res) => {
        const chunk = Buffer.alloc(16_384, 'x');
        const more = (): void => {
          while (!res.destroyed && res.write(chunk)) sent += chunk.length;
          sent += chunk.length;
        };
        res.on('drain', more);
        more();
      });

      const answer = await open.post(request(target.url));

      assert.deepEqual([answer.statusCode, answer.body.length], [200, 4096]);
      assert.ok(sent < 20_000_000, `${sent} bytes`);
    });
  });

  describe('URL that is about to be saved', () => {
    it('is refused when its name resolves to a private address', async () => {
      assert.equal(
        await guarded(async () => v4('192.168.0.7')).problemOf('https://a.example/'),
        'debe apuntar a una dirección pública',
      );
    });

    it('is accepted when its name does not resolve, because it may later', async () => {
      assert.equal(
        await guarded(() => Promise.reject(new Error('SERVFAIL'))).problemOf('https://a.example/'),
        undefined,
      );
    });

    it('is accepted when it is public', async () => {
      assert.equal(await guarded(async () => v4('93.184.215.14')).problemOf('https://a.example/'), undefined);
    });
  });
});
