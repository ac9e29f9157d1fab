import assert from 'node:assert/strict';
import { Client } from 'undici';
import { connectOnlyTo } from '../../adapters/outbound-http/connect.ts';
import { failureOf } from '../../adapters/outbound-http/failure.ts';
import { parseAllowed } from '../../adapters/outbound-http/guard.ts';
import { receiver } from '../api/receiver.ts';

/** A call to this machine, whose address no one judged before: only the socket knows where it went. */
async function call(url: string, allowCidrs: string): Promise<number> {
  const signal = AbortSignal.timeout(3_000);
  const connect = connectOnlyTo([{ address: '127.0.0.1', family: 4 }], { allowed: parseAllowed(allowCidrs), signal });
  const client = new Client(new URL(url).origin, { connect });
  try {
    return (await client.request({ method: 'POST', path: '/', body: 'secreto' })).statusCode;
  } finally {
    await client.destroy();
  }
}

describe('a socket that is open', () => {
  it('is asked where it went, and says nothing there when that is a blocked address', async () => {
    await using target = await receiver();

    await assert.rejects(call(target.url, ''), (error: Error) => failureOf(error) === 'blocked_address');

    assert.deepEqual(target.calls, []);
  });

  it('is used where its address was opened', async () => {
    await using target = await receiver();

    assert.equal(await call(target.url, '127.0.0.0/8'), 200);
  });
});
