import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { FirstAttemptsInput } from '../../workflows/contract.ts';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { type Service, service } from '../api/service.ts';
import { answer, attemptsOf, becomeDue, BODY, delivering } from './delivering.ts';
import { rows } from './relay-world.ts';

describe('makeFirstAttempts', () => {
  let app: Service;
  let business: build.Business;
  let world: ReturnType<typeof delivering>;

  before(async () => {
    app = await service();
  });
  beforeEach(async () => {
    // Of its own, since calls to the endpoints of one business count together.
    business = await build.business();
    // Ours answer at once, however slow the machine is; one that hangs does for longer than this.
    world = delivering({ app, business, slowMs: 8_000 });
  });

  const webhookAt = async (url: string) => (await world.webhook(url)).id;
  /** What PostgreSQL says of what the batch was given, in the batch's order. */
  const stateOf = async ({ deliveries }: FirstAttemptsInput) => {
    const ids = deliveries.map(({ deliveryId }) => deliveryId);
    const found = await rows(
      `select d.id, d.status, d.handed_over_at is not null as "handedOver", d.left_batch_at is not null as "left",
              d.due_at - now() as "dueIn", (select count(*)::int from webhook_attempts a where a.delivery_id = d.id) as attempts
         from webhook_deliveries d where id = any ($1)`,
      ids,
    );
    return ids.map((id) => found.find((row) => row['id'] === id));
  };
  const tally = async (input: FirstAttemptsInput) => {
    const tallied: Record<string, number> = {};
    for (const row of await stateOf(input)) {
      const key = `${String(row?.['status'])}, ${String(row?.['attempts'])} attempts${row?.['left'] ? ', left' : ''}`;
      tallied[key] = (tallied[key] ?? 0) + 1;
    }
    return tallied;
  };

  it('calls for each delivery once, two at a time at each endpoint and eight in all, and records each attempt', async () => {
    const under = new Map<string, number>();
    let most = 0;
    let mostOfAll = 0;
    const endpoints = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        receiver((res) => {
          under.set(`${i}`, (under.get(`${i}`) ?? 0) + 1);
          most = Math.max(most, under.get(`${i}`) ?? 0);
          mostOfAll = Math.max(
            mostOfAll,
            [...under.values()].reduce((sum, n) => sum + n, 0),
          );
          setTimeout(() => {
            under.set(`${i}`, (under.get(`${i}`) ?? 0) - 1);
            res.end('ok');
          }, 100);
        }),
      ),
    );
    const ids = await Promise.all(endpoints.map(({ url }) => webhookAt(url)));
    const input = await world.batch(Object.fromEntries(ids.map((id) => [id, 5])));

    const result = await world.carry(input);

    assert.deepEqual(result, { delivered: 30, alone: 0, ended: 0 });
    assert.deepEqual(await tally(input), { 'DELIVERED, 1 attempts': 30 });
    const calls = endpoints.flatMap((endpoint) => endpoint.calls);
    assert.deepEqual(
      calls.map(({ headers }) => String(headers['x-service-delivery'])).toSorted(),
      input.deliveries.map(({ deliveryId }) => deliveryId).toSorted(),
    );
    assert.ok(calls.every(({ body, headers }) => body === BODY && headers['webhook-signature']));
    assert.ok(most <= 2 && mostOfAll > 2 && mostOfAll <= 8, `${most} at one, ${mostOfAll} at all`);
    await Promise.all(endpoints.map((endpoint) => endpoint[Symbol.asyncDispose]()));
  });

  it('lets what an endpoint refuses leave at once, and a run of its own makes the second attempt when it is due', async () => {
    let refused: string | undefined;
    await using endpoint = await receiver((res, { headers }) => {
      refused ??= String(headers['x-service-delivery']);
      answer(refused === headers['x-service-delivery'] ? 500 : 200)(res);
    });
    const input = await world.batch({ [await webhookAt(endpoint.url)]: 12 });

    assert.deepEqual(await world.carry(input), { delivered: 11, alone: 1, ended: 0 });

    const [left] = (await stateOf(input)).filter((row) => row?.['left']);
    assert.deepEqual([left?.['id'], left?.['status'], left?.['handedOver']], [refused, 'PENDING', false]);
    const ref = { tenantId: business.tenantId, deliveryId: String(refused) };
    const early = await world.attempt(ref);
    assert.equal(early.type, 'NotDue');
    assert.ok(early.delayMs !== null && early.delayMs > 2_000 && early.delayMs <= 6_000, `${early.delayMs} ms`);
    await becomeDue(ref.deliveryId);
    await world.attempt(ref);
    assert.deepEqual(
      (await attemptsOf(ref.deliveryId)).map(({ number, status_code }) => [number, status_code]),
      [
        [1, 500],
        [2, 500],
      ],
    );
  });

  it('leaves an endpoint that refuses three of them alone: the rest leave uncalled', async () => {
    await using endpoint = await receiver(answer(500));
    const input = await world.batch({ [await webhookAt(endpoint.url)]: 12 });

    assert.deepEqual(await world.carry(input), { delivered: 0, alone: 12, ended: 0 });

    assert.ok(endpoint.calls.length >= 3 && endpoint.calls.length <= 4, `${endpoint.calls.length} calls`);
    const tried = endpoint.calls.length;
    assert.deepEqual(await tally(input), {
      'PENDING, 1 attempts, left': tried,
      'PENDING, 0 attempts, left': 12 - tried,
    });
  });

  it('has delivered to all others while one endpoint hangs, and what waits for that one leaves after the first calls', async () => {
    await using hanging = await receiver(() => undefined);
    await using well = await receiver();
    const input = await world.batch({ [await webhookAt(hanging.url)]: 10, [await webhookAt(well.url)]: 30 });

    const result = await world.carry(input);

    assert.deepEqual(result, { delivered: 30, alone: 10, ended: 0 });
    const [meanwhile] = await rows(
      `with attempts as (
         select d.webhook_id = $1 as hung, a.started_at, a.finished_at from webhook_attempts a
           join webhook_deliveries d on d.tenant_id = a.tenant_id and d.id = a.delivery_id where d.batch_id = $2
       ) select count(*)::int as n from attempts where not hung
           and finished_at < (select min(finished_at) from attempts where hung)`,
      input.deliveries[0]?.webhookId,
      input.batchId,
    );
    // All thirty, unless they take a slow machine the ten seconds of those calls; without a turn of their own, none.
    assert.ok(
      Number(meanwhile?.['n']) > 8,
      `${String(meanwhile?.['n'])} were delivered before the calls that hang were over`,
    );
    assert.equal(hanging.calls.length, 2);
    assert.deepEqual(await tally(input), {
      'PENDING, 1 attempts, left': 2,
      'PENDING, 0 attempts, left': 8,
      'DELIVERED, 1 attempts': 30,
    });
  });

  it('does not call an endpoint that is left alone, nor one that is busy with others: what is for it leaves', async () => {
    await using endpoint = await receiver();
    const [down, busy] = [await webhookAt(endpoint.url), await webhookAt(endpoint.url)];
    await rows(
      "update webhooks set failures_in_row = 5, failing_since = now(), probe_at = now() + interval '1 minute' where id = $1",
      down,
    );
    for (const { id } of [await world.delivery(busy), await world.delivery(busy)]) {
      await rows(
        `insert into webhook_attempts (id, tenant_id, delivery_id, number, claim_token, started_at)
           values ($1, $2, $1, 1, 'another', now())`,
        id,
        business.tenantId,
      );
    }
    const input = await world.batch({ [down]: 5, [busy]: 5 });

    assert.deepEqual(await world.carry(input), { delivered: 0, alone: 10, ended: 0 });

    assert.equal(endpoint.calls.length, 0);
    assert.deepEqual(await tally(input), { 'PENDING, 0 attempts, left': 10 });
  });

  it("waits for room while the tenant's other batch has all of it: neither sends a delivery away", async () => {
    let [under, most] = [0, 0];
    // The first ones are held until there are as many as there may be: on a busy machine each takes a while to begin.
    let fill = (): void => undefined;
    const full = new Promise<void>((resolve) => {
      fill = resolve;
    });
    await using endpoint = await receiver((res) => {
      most = Math.max(most, (under += 1));
      if (under === 8) fill();
      void full.then(() =>
        setTimeout(() => {
          under -= 1;
          res.end('ok');
        }, 400),
      );
    });
    const half = async () => {
      const ids = await Promise.all(Array.from({ length: 6 }, () => webhookAt(endpoint.url)));
      return world.batch(Object.fromEntries(ids.map((id) => [id, 5])));
    };
    const [one, other] = [await half(), await half()];

    const results = await Promise.all([world.carry(one), world.carry(other)]);

    assert.deepEqual(results, [
      { delivered: 30, alone: 0, ended: 0 },
      { delivered: 30, alone: 0, ended: 0 },
    ]);
    assert.deepEqual(await tally(one), { 'DELIVERED, 1 attempts': 30 });
    assert.deepEqual(await tally(other), { 'DELIVERED, 1 attempts': 30 });
    assert.equal(most, 8);
  });

  it('goes on where a try that was lost left off, and leaves an attempt that was begun to a run of its own', async () => {
    await using endpoint = await receiver();
    const input = await world.batch({ [await webhookAt(endpoint.url)]: 6 });
    const [done, begun] = input.deliveries;
    assert.ok(done && begun);
    await world.carry({ ...input, deliveries: [done] });
    await rows(
      `insert into webhook_attempts (id, tenant_id, delivery_id, number, claim_token, started_at)
         values ($1, $2, $1, 1, 'of the worker that died', now() - interval '1 minute')`,
      begun.deliveryId,
      business.tenantId,
    );

    assert.deepEqual(await world.carry(input), { delivered: 5, alone: 1, ended: 0 });

    assert.equal(endpoint.calls.length, 5);
    assert.equal(
      (await world.attempt({ tenantId: business.tenantId, deliveryId: begun.deliveryId })).outcome,
      'delivered',
    );
    assert.deepEqual(
      (await attemptsOf(begun.deliveryId)).map(({ number, finished }) => [number, finished]),
      [[1, true]],
    );
    assert.deepEqual(await world.carry(input), { delivered: 6, alone: 0, ended: 0 });
    assert.equal(endpoint.calls.length, 6);
  });

  it('calls for nothing that has left, that was taken from it, or whose webhook is off or gone', async () => {
    await using endpoint = await receiver();
    const [on, off, gone] = [
      await webhookAt(endpoint.url),
      await webhookAt(endpoint.url),
      await webhookAt(endpoint.url),
    ];
    const input = await world.batch({ [on]: 3, [off]: 2, [gone]: 2 });
    await rows('update webhook_deliveries set left_batch_at = now(), handed_over_at = now() where webhook_id = $1', on);
    await app.request('PUT', `/api/webhooks/${off}`, { headers: business.owner, body: { isActive: false } });
    await app.request('DELETE', `/api/webhooks/${gone}`, { headers: business.owner });

    assert.deepEqual(await world.carry(input), { delivered: 0, alone: 3, ended: 4 });

    assert.equal(endpoint.calls.length, 0);
    const found = await stateOf(input);
    assert.deepEqual(
      found.map((row) => row && [row['status'], row['handedOver']]),
      [
        ...Array.from({ length: 3 }, () => ['PENDING', true]),
        ...Array.from({ length: 2 }, () => ['SKIPPED', true]),
        undefined,
        undefined,
      ],
    );
  });

  it('begins no attempt after its budget, also of those whose turn comes only then: they leave uncalled', async () => {
    const hurried = delivering({ app, business, budgetMs: 400 });
    await using endpoint = await receiver((res) => void setTimeout(() => res.end('ok'), 800));
    const ids = await Promise.all(Array.from({ length: 12 }, () => webhookAt(endpoint.url)));
    const input = await world.batch(Object.fromEntries(ids.map((id) => [id, 2])));

    const result = await hurried.carry(input);

    // Eight at a time, or the fewer that a slow machine begins within the budget; each call takes longer than that.
    const called = endpoint.calls.length;
    assert.ok(called >= 1 && called <= 8, `${called} calls`);
    assert.deepEqual(result, { delivered: called, alone: 24 - called, ended: 0 });
    assert.deepEqual(await tally(input), { 'DELIVERED, 1 attempts': called, 'PENDING, 0 attempts, left': 24 - called });
  });

  it('begins no call once its step is cancelled, also for endpoints whose turn comes only then', async () => {
    const env = new MockActivityEnvironment();
    await using endpoint = await receiver((res) => {
      env.cancel();
      setTimeout(() => res.end('ok'), 50);
    });
    const ids = await Promise.all(Array.from({ length: 12 }, () => webhookAt(endpoint.url)));
    const input = await world.batch(Object.fromEntries(ids.map((id) => [id, 2])));

    await assert.rejects(world.carry(input, env), /CANCELLED|cancel/i);

    const called = endpoint.calls.length;
    assert.ok(called <= 8, `${called} calls`);
    assert.deepEqual(await tally(input), { 'DELIVERED, 1 attempts': called, 'PENDING, 0 attempts': 24 - called });
  });

  it('begins no call once its worker is told to stop, lets those under way end, and leaves the rest to the next try', async () => {
    const stopping = new AbortController();
    await using endpoint = await receiver((res) => {
      stopping.abort();
      setTimeout(() => res.end('ok'), 50);
    });
    const stops = delivering({ app, business, stopping: stopping.signal });
    const input = await world.batch({ [await webhookAt(endpoint.url)]: 10 });

    await assert.rejects(
      stops.carry(input),
      (error) => error instanceof ApplicationFailure && error.type === 'WorkerStops' && error.nonRetryable === false,
    );

    const called = endpoint.calls.length;
    assert.ok(called <= 2, `${called} calls`);
    assert.deepEqual(await tally(input), { 'DELIVERED, 1 attempts': called, 'PENDING, 0 attempts': 10 - called });
    assert.deepEqual(await world.carry(input), { delivered: 10, alone: 0, ended: 0 });
  });

  it('ends as ever when its worker is told to stop and nothing is left', async () => {
    const stopping = new AbortController();
    await using endpoint = await receiver((res) => {
      stopping.abort();
      res.end('ok');
    });
    const stops = delivering({ app, business, stopping: stopping.signal });

    const result = await stops.carry(await world.batch({ [await webhookAt(endpoint.url)]: 1 }));

    assert.deepEqual(result, { delivered: 1, alone: 0, ended: 0 });
  });

  it('begins no call once its worker stops, and leaves the rest to the next try', async () => {
    const env = new MockActivityEnvironment();
    await using endpoint = await receiver((res) => {
      env.cancel();
      setTimeout(() => res.end('ok'), 50);
    });
    const input = await world.batch({ [await webhookAt(endpoint.url)]: 10 });

    await assert.rejects(world.carry(input, env), /CANCELLED|cancel/i);

    assert.ok(endpoint.calls.length <= 2, `${endpoint.calls.length} calls`);
    const called = endpoint.calls.length;
    assert.deepEqual(await tally(input), {
      'DELIVERED, 1 attempts': called,
      'PENDING, 0 attempts': 10 - called,
    });
    assert.deepEqual(await world.carry(input), { delivered: 10, alone: 0, ended: 0 });
  });
});
