import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createResolve } from '../../adapters/outbound-http/addresses.ts';

/** More names than libuv's pool has threads. */
const NAMES = Array.from({ length: 16 }, (_, index) => `silent-${index}.test`);

describe('resolver of users’ addresses', () => {
  let silent: Socket;
  let asked = 0;
  let server: string;

  before(async () => {
    silent = createSocket('udp4').on('message', () => (asked += 1));
    silent.bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port }: AddressInfo = silent.address();
    server = `127.0.0.1:${port}`;
  });
  after(() => {
    silent.close();
  });

  it('gives up within five seconds when the name server is silent, and does not block file access', async () => {
    const resolve = createResolve([server]);
    const startedAt = performance.now();
    let given = 0;
    const all = Promise.allSettled(NAMES.map((name) => resolve(name).finally(() => (given += 1))));

    await stat(import.meta.filename);
    assert.equal(given, 0);

    const outcomes = await all;
    assert.ok(asked > 0);
    assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], ['rejected']);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs < 5_000, `${tookMs.toFixed(0)} ms`);
  });

  it('resolves localhost without a query', async () => {
    const addresses = await createResolve([server])('localhost');

    assert.deepEqual(addresses, [{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }]); // prettier-ignore
  });
});
