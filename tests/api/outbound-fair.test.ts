import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createFairOutbound } from '../../adapters/outbound-http/fair.ts';
import { createOutboundHttp } from '../../adapters/outbound-http/client.ts';
import { createResolve } from '../../adapters/outbound-http/addresses.ts';
import { ELSEWHERE } from '../adapters/elsewhere.ts';
import { eventually } from '../eventually.ts';
import { inTime } from '../in-time.ts';
import * as build from './build.ts';
import { receiver } from './receiver.ts';
import { type Service, service } from './service.ts';

/** Maximum delay of a tenant while the hosts of another hang until their timeout. */
const MAX_DELAY_MS = 2_000;

describe('Synchronous outbound calls', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  async function webhook(url: string) {
    const business = await build.business();
    const { status, body } = await app.post('/api/webhooks', { url, events: ['quote.created'] }, business.owner);
    assert.equal(status, 201);
    return { owner: business.owner, path: `/api/webhooks/${body.id}/test` };
  }

  it('calls of one tenant to a hanging host are bounded, the next answers 429, and another tenant’s test is prompt', async () => {
    await using silent = await receiver(() => undefined);
    await using endpoint = await receiver();
    const [busy, other] = [await webhook(silent.url), await webhook(endpoint.url)];

    const tests = Array.from({ length: 20 }, () => app.post(busy.path, undefined, busy.owner));
    await eventually(() => assert.equal(silent.calls.length, 8));
    const { status } = await inTime(MAX_DELAY_MS, app.post(other.path, undefined, other.owner));

    assert.equal(status, 200);
    const responses = await Promise.all(tests);
    const refused = responses.filter((response) => response.status === 429);
    assert.equal(refused.length, 4);
    assert.deepEqual(new Set(refused.map(({ headers }) => headers.get('retry-after'))), new Set(['5']));
    // Calls that waited five seconds for a permit end with the timeout of the request.
    assert.equal(responses.filter((response) => response.status === 502 || response.status === 503).length, 16);
  });

  it('a waiting call is dropped when its caller disconnects', async () => {
    await using silent = await receiver(() => undefined);
    const { owner, path } = await webhook(silent.url);
    const tests = Array.from({ length: 8 }, () => app.post(path, undefined, owner));
    await eventually(() => assert.equal(silent.calls.length, 8));

    await assert.rejects(fetch(app.url + path, { method: 'POST', headers: owner, signal: AbortSignal.timeout(500) }));
    await Promise.all(tests);
    await app.post(path, undefined, owner);

    assert.equal(silent.calls.length, 9);
  });

  it('DNS look-ups of a tenant at a hanging server do not delay other tenants', async () => {
    const server = createSocket('udp4');
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    let questions = 0;
    server.on('message', () => (questions += 1));
    const resolve = createResolve([`127.0.0.1:${server.address().port}`]);
    const fair = createFairOutbound(createOutboundHttp({ ...ELSEWHERE, OUTBOUND_ALLOW_CIDRS: '', resolve }));

    const names = Array.from({ length: 40 }, (_, i) =>
      fair.problemOf(`https://name-${i}.example.net/`, { key: 'busy' }),
    );
    // Two DNS queries per name, for IPv4 and IPv6.
    await eventually(() => assert.equal(questions >= 32, true, `${questions} questions`));
    assert.equal(questions, 32);
    const problem = await inTime(MAX_DELAY_MS, fair.problemOf('https://127.0.0.1/', { key: 'other' }));

    assert.equal(problem, 'debe apuntar a una dirección pública');
    assert.deepEqual(new Set(await Promise.all(names)), new Set([undefined]));
    server.close();
  });
});
