import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { buildConnector, Client } from 'undici';
import { createOutboundHttp } from '../../adapters/outbound-http/client.ts';
import { connectOnlyTo } from '../../adapters/outbound-http/client.ts';
import { failureOf } from '../../adapters/outbound-http/client.ts';
import { parseAllowed } from '../../adapters/outbound-http/addresses.ts';
import { receiver } from '../api/receiver.ts';
import { ELSEWHERE } from './elsewhere.ts';

/** A call to this machine whose address was not checked before: only the check of the socket can refuse it. */
async function call(url: string, allowCidrs: string): Promise<number> {
  const signal = AbortSignal.timeout(3_000);
  const connect = connectOnlyTo([{ address: '127.0.0.1', family: 4 }], {
    buildConnector,
    allowed: parseAllowed(allowCidrs),
    signal,
  });
  const client = new Client(new URL(url).origin, { connect });
  try {
    return (await client.request({ method: 'POST', path: '/', body: 'secreto' })).statusCode;
  } finally {
    await client.destroy();
  }
}

describe('connected socket of an outbound call', () => {
  it('is closed without sending anything when its peer address is blocked', async () => {
    await using target = await receiver();

    await assert.rejects(call(target.url, ''), (error: Error) => failureOf(error) === 'blocked_address');

    assert.deepEqual(target.calls, []);
  });

  it('is used when its peer address is permitted', async () => {
    await using target = await receiver();

    assert.equal(await call(target.url, '127.0.0.0/8'), 200);
  });

  it('is refused as «tls» when the certificate is self-signed, and the peer receives nothing', async () => {
    // Another protocol, but TLS with a self-signed certificate.
    const server = new SMTPServer({ secure: true, authOptional: true });
    server.on('error', () => undefined);
    const listening = server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const { port } = listening.address() as AddressInfo;
    const outbound = createOutboundHttp({ ...ELSEWHERE, OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' });

    const url = `https://127.0.0.1:${port}/`;
    const answer = await outbound.post({ url, body: 'secreto', headers: {}, deadlineMs: 3_000 });

    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    assert.deepEqual([answer.statusCode, answer.errorCode], [0, 'tls']);
  });
});
