import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createOutboundHttp } from '../../adapters/outbound-http/client.ts';
import type { OwnOriginConfig } from '../../adapters/outbound-http/addresses.ts';
import { receiver } from '../api/receiver.ts';

const OWN = 'no puede apuntar a este mismo servicio';
const everywhere = { OUTBOUND_ALLOW_CIDRS: '0.0.0.0/0,::/0' };
const embedded = { PROFILE: 'embedded', PUBLIC_URL: 'http://127.0.0.1:3000', HOST: '127.0.0.1', PORT: 3000 } as const;
const installed = {
  PROFILE: 'production',
  PUBLIC_URL: 'https://cotizaciones.example',
  HOST: '0.0.0.0',
  PORT: 3000,
} as const;

/** The problem of the URL when it is saved, and the result of a call, where every other address is permitted. */
async function outcome(config: OwnOriginConfig, url: string, addresses: readonly string[] = ['192.0.2.1']) {
  const all: LookupAddress[] = addresses.map((address) => ({ address, family: isIP(address) }));
  const outbound = createOutboundHttp({ ...config, ...everywhere, resolve: () => Promise.resolve(all) });
  const problem = await outbound.problemOf(url);
  if (problem === undefined) return undefined;
  const { errorCode } = await outbound.post({ url, body: '', headers: {}, deadlineMs: 1_000 });
  return [problem, errorCode];
}

describe("the service's own origin as a target", () => {
  for (const url of [
    'https://cotizaciones.example/api/quotes/x/duplicate',
    'https://COTIZACIONES.example:443/',
    'https://cotizaciones.example./',
    'http://cotizaciones.example/',
    'https://cotizaciones.example/dev/sink/x',
  ]) {
    it(`is refused at save and at each call, as PUBLIC_URL: ${url}`, async () =>
      assert.deepEqual(await outcome(installed, url), [OWN, 'blocked_address']));
  }

  it("is refused under another name if one of its addresses is the API's", async () => {
    const [own] = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    assert.ok(own);

    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', own.address]) {
      const url = 'http://otro.example:3000/';
      assert.deepEqual(await outcome(installed, url, ['192.0.2.1', address]), [OWN, 'blocked_address'], address);
    }
  });

  for (const url of [
    'http://127.0.0.1:3000/api/quotes/x/duplicate',
    'http://localhost:3000/',
    'http://127.1:3000/',
    'http://[::1]:3000/',
    'http://[::ffff:127.0.0.1]:3000/',
    'http://0.0.0.0:3000/',
    'http://0:3000/',
    'http://[::]:3000/',
    'http://127.0.0.1:3000/dev/sink',
    'http://127.0.0.1:3000/dev/sink/../../api/quotes',
    'http://127.0.0.1:3000/dev/sink/%2e%2e/%2E%2e/api/quotes',
    'http://127.0.0.1:3000/dev/sink/..\\..\\api/quotes',
    'http://127.0.0.1:3000//dev/sink/x',
    'http://127.0.0.1:3000/%64ev/sink/x',
  ]) {
    it(`is refused in the embedded profile: ${url}`, async () =>
      assert.deepEqual(await outcome(embedded, url, ['127.0.0.1']), [OWN, 'blocked_address']));
  }

  for (const PROFILE of ['embedded', 'test'] as const) {
    it(`is permitted below /dev/sink/ in the profile ${PROFILE}, by every name`, async () => {
      for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
        const url = `http://${host}:3000/dev/sink/x?status=500`;
        assert.equal(await outcome({ ...embedded, PROFILE }, url, ['127.0.0.1']), undefined, url);
      }
    });
  }

  it('does not include another port of the same host, nor another host of a shared address', async () => {
    assert.equal(await outcome(installed, 'https://cotizaciones.example:8443/'), undefined);
    assert.equal(await outcome(installed, 'https://otro.example/'), undefined);
    assert.equal(await outcome(embedded, 'http://127.0.0.1:3001/', ['127.0.0.1']), undefined);
    assert.equal(await outcome({ ...installed, HOST: '192.0.2.7' }, 'http://127.0.0.1:3000/'), undefined);
  });

  it('receives no call, whereas another listener of this machine does', async () => {
    await using target = await receiver();
    const { port } = new URL(target.url);
    const call = (PORT: number) =>
      createOutboundHttp({ ...embedded, PUBLIC_URL: 'https://cotizaciones.example', PORT, ...everywhere }).post({
        url: target.url,
        body: '{}',
        headers: {},
        deadlineMs: 3_000,
      });

    const own = await call(Number(port));
    const heard = target.calls.length;
    const other = await call(1);

    assert.deepEqual([own.errorCode, heard], ['blocked_address', 0]);
    assert.deepEqual([other.statusCode, target.calls.length], [200, 1]);
  });
});
