import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { type Service, service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { answer, attemptsOf, becomeDue, delivering } from './delivering.ts';
import { rows } from '../worker/dispatcher-world.ts';

const MINUTE_MS = 60_000;

describe('An endpoint that failed five times in a row', () => {
  let app: Service;
  let business: build.Business;
  let world: ReturnType<typeof delivering>;

  before(async () => {
    app = await service();
    business = await build.business();
    world = delivering({ app, business });
  });

  /** A webhook whose endpoint failed so many times, once for each of so many deliveries. */
  async function failed(url: string, times = 5) {
    const { id } = await world.webhook(url);
    for (let i = 0; i < times; i += 1) {
      assert.equal((await world.attempt((await world.delivery(id)).ref)).type, 'EndpointFailed');
    }
    return id;
  }
  const stateOf = async (id: string) =>
    (await rows('select consecutive_failures, next_probe_at, next_slot_at from webhooks where id = $1', id))[0];
  /** The minute is over. */
  const probeIsDue = (id: string) =>
    rows("update webhooks set next_probe_at = now() - interval '1 millisecond' where id = $1", id);
  const held = async (webhookId: string) => {
    const made = await world.delivery(webhookId);
    const tried = await world.attempt(made.ref);
    assert.equal(tried.type, 'EndpointDown');
    return { ...made, delayMs: tried.delayMs ?? 0 };
  };

  it('is called no more within the minute: what is due for it waits, and spends no attempt', async () => {
    await using endpoint = await receiver(answer(500));
    const id = await failed(endpoint.url);

    const { id: waiting, delayMs } = await held(id);

    assert.ok(delayMs > 50_000 && delayMs < MINUTE_MS + 1_000, `${delayMs} ms`);
    assert.deepEqual(await attemptsOf(waiting), []);
    assert.equal(endpoint.calls.length, 5);
  });

  it('is called as ever while a success comes in between', async () => {
    let status = 500;
    await using endpoint = await receiver((res) => answer(status)(res));
    const id = await failed(endpoint.url, 4);
    status = 200;
    assert.equal((await world.attempt((await world.delivery(id)).ref)).outcome, 'delivered');
    status = 500;

    for (let i = 0; i < 4; i += 1) await world.attempt((await world.delivery(id)).ref);

    assert.equal((await world.attempt((await world.delivery(id)).ref)).type, 'EndpointFailed');
    assert.equal(endpoint.calls.length, 10);
  });

  it('is probed by one delivery when the minute is over; a failure leaves the others waiting for another', async () => {
    await using endpoint = await receiver(answer(500));
    const id = await failed(endpoint.url);
    const [first, second] = [await held(id), await held(id)];
    await probeIsDue(id);

    const probe = await world.attempt(first.ref);
    const other = await world.attempt(second.ref);

    assert.equal(probe.type, 'EndpointFailed');
    assert.equal(other.type, 'EndpointDown');
    assert.ok(other.delayMs !== null && other.delayMs > 50_000, `${other.delayMs} ms`);
    assert.equal(endpoint.calls.length, 6);
    assert.equal((await attemptsOf(first.id)).length, 1);
  });

  it('is probed once a minute even when the probe hangs or dies with its worker', async () => {
    const open: ServerResponse[] = [];
    let hang = false;
    await using endpoint = await receiver((res) => (hang ? void open.push(res) : answer(500)(res)));
    const id = await failed(endpoint.url);
    const [first, second] = [await held(id), await held(id)];
    hang = true;
    await probeIsDue(id);
    const probe = world.attempt(first.ref);
    await eventually(() => assert.equal(open.length, 1));

    assert.equal((await world.attempt(second.ref)).type, 'EndpointDown');

    open[0]?.writeHead(500).end();
    await probe;
    assert.equal(endpoint.calls.length, 6);
  });

  it('takes everything again after one success', async () => {
    let status = 500;
    await using endpoint = await receiver((res) => answer(status)(res));
    const id = await failed(endpoint.url);
    const [first, second] = [await held(id), await held(id)];
    status = 200;
    await probeIsDue(id);

    assert.equal((await world.attempt(first.ref)).outcome, 'delivered');
    assert.equal((await world.attempt(second.ref)).outcome, 'delivered');

    assert.deepEqual(await stateOf(id), { consecutive_failures: 0, next_probe_at: null, next_slot_at: null });
  });

  it('is asked for at one rate, however many wait: their turns are 200 ms apart, none beyond the next step', async () => {
    await using endpoint = await receiver(answer(500));
    const id = await failed(endpoint.url);

    const turns: Date[] = [];
    for (let i = 0; i < 8; i += 1) {
      await held(id);
      const state = await stateOf(id);
      assert.ok(state?.['next_slot_at'] instanceof Date);
      turns.push(state['next_slot_at']);
    }
    await rows("update webhooks set next_slot_at = now() + interval '2 hours' where id = $1", id);
    const last = await held(id);

    assert.deepEqual(
      turns.slice(1).map((turn, i) => turn.getTime() - (turns[i]?.getTime() ?? 0)),
      Array.from({ length: 7 }, () => 200),
    );
    assert.ok(Math.abs(last.delayMs - 300_000) < 100, `${last.delayMs} ms`);
    assert.ok(Number((await stateOf(id))?.['next_slot_at']) > Date.now() + 7_000_000, 'the end of the queue stays');
  });

  it('is called at once by a repetition, which somebody asked for; its later attempts wait as others do', async () => {
    await using endpoint = await receiver(answer(500));
    const id = await failed(endpoint.url);
    const { ref, id: replayed } = await world.delivery(id, business, { replay: 1 });

    assert.equal((await world.attempt(ref)).type, 'EndpointFailed');
    await becomeDue(replayed);

    assert.equal((await world.attempt(ref)).type, 'EndpointDown');
    assert.equal(endpoint.calls.length, 6);
  });

  for (const [what, changes] of [
    ['is given another address', (url: string) => [{ url: `${url}/otra` }]],
    ['is switched off and on again', () => [{ isActive: false }, { isActive: true }]],
  ] as const) {
    it(`is called at once when its webhook ${what}`, async () => {
      await using endpoint = await receiver(answer(500));
      const id = await failed(endpoint.url);
      const waiting = await held(id);
      for (const body of changes(endpoint.url)) {
        const res = await app.request('PUT', `/api/webhooks/${id}`, { headers: business.owner, body });
        assert.equal(res.status, 200);
      }

      assert.equal((await world.attempt(waiting.ref)).type, 'EndpointFailed');
      assert.equal((await stateOf(id))?.['consecutive_failures'], 1);
    });
  }

  it('is switched off by the probe that fails five days after the first failure; what waited ends skipped', async () => {
    await using endpoint = await receiver(answer(500));
    const id = await failed(endpoint.url);
    const [first, second] = [await held(id), await held(id)];
    await rows("update webhooks set failing_since = now() - interval '5 days' where id = $1", id);
    await probeIsDue(id);

    assert.equal((await world.attempt(first.ref)).outcome, 'exhausted');
    assert.equal((await world.attempt(second.ref)).outcome, 'skipped');

    const notices = await rows(
      "select id from notifications where tenant_id = $1 and type = 'webhook_disabled' and metadata like '%' || $2 || '%'",
      business.tenantId,
      id,
    );
    assert.equal(notices.length, 1);
  });

  it('is forgotten with its webhook: what waited ends cancelled', async () => {
    await using endpoint = await receiver(answer(500));
    const id = await failed(endpoint.url);
    const waiting = await held(id);
    await app.request('DELETE', `/api/webhooks/${id}`, { headers: business.owner });

    assert.equal((await world.attempt(waiting.ref)).outcome, 'cancelled');
  });
});

describe('The endpoints of one tenant', () => {
  it('are called eight at a time; the ninth waits without spending an attempt, and other tenants do not', async () => {
    const app = await service();
    const [business, other] = [await build.business(), await build.business()];
    const world = delivering({ app, business });
    const open: ServerResponse[] = [];
    await using endpoint = await receiver((res) => void open.push(res));
    const webhooks = await Promise.all(Array.from({ length: 12 }, (_, i) => world.webhook(`${endpoint.url}/${i}`)));
    const deliveries = await Promise.all(webhooks.map(({ id }) => world.delivery(id)));

    const spent: number[] = [];
    const tried = deliveries.map(async ({ id, ref }) => {
      const { type } = await world.attempt(ref);
      if (type === 'EndpointBusy') spent.push((await attemptsOf(id)).length);
    });
    await eventually(() => assert.deepEqual([open.length, spent.length], [8, 4]));
    const foreign = world.attempt((await world.delivery((await world.webhook(endpoint.url, other)).id, other)).ref);
    await eventually(() => assert.equal(open.length, 9));
    for (const res of open) res.end('ok');

    assert.equal((await foreign).outcome, 'delivered');
    await Promise.all(tried);
    assert.deepEqual(spent, [0, 0, 0, 0]);
  });
});
