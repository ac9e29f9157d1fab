import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import * as build from '../api/build.ts';
import { type Call, receiver } from '../api/receiver.ts';
import { type Service, service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { answer, attemptsOf, becomeDue, BODY, delivering } from './delivering.ts';
import { rows } from '../worker/dispatcher-world.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('deliver', () => {
  let app: Service;
  let business: build.Business;
  let world: ReturnType<typeof delivering>;

  before(async () => {
    app = await service();
    business = await build.business();
    world = delivering({ app, business });
  });

  const rowOf = async (id: string) =>
    (
      await rows(
        'select status, status_code, error_code, response_body, due_at from webhook_deliveries where id = $1',
        id,
      )
    )[0];

  it('sends the bytes of the event, signed in both ways, and is delivered by a 2xx', async () => {
    await using endpoint = await receiver();
    const { id, secret } = await world.webhook(endpoint.url);
    const { ref, ...row } = await world.delivery(id);
    const began = Math.floor(Date.now() / 1_000);

    assert.equal((await world.attempt(ref)).outcome, 'delivered');

    const [call] = endpoint.calls;
    assert.equal(call?.body, BODY);
    const { headers } = call;
    assert.deepEqual(
      [
        headers['x-service-event'],
        headers['x-service-delivery'],
        headers['x-service-attempt'],
        headers['x-service-sequence'],
      ],
      ['client.created', row.id, '1', '7'],
    );
    assert.equal(headers['webhook-id'], row.eventId);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(headers['x-service-signature'], createHmac('sha256', secret).update(BODY).digest('hex'));
    assert.equal(headers['webhook-signature'], standard(secret, call));
    const at = Number(headers['webhook-timestamp']);
    assert.ok(at >= began && at <= Date.now() / 1_000, `${at} is not the time of the attempt`);
    assert.deepEqual(await rowOf(row.id), {
      status: 'DELIVERED',
      status_code: 200,
      error_code: null,
      response_body: 'ok',
      due_at: null,
    });
    assert.equal((await world.attempt(ref)).outcome, 'closed');
    assert.equal(endpoint.calls.length, 1);
  });

  it('signs with both secrets for a day after a rotation', async () => {
    await using endpoint = await receiver();
    const { id, secret: before } = await world.webhook(endpoint.url);
    const { secret: now } = (await app.post(`/api/webhooks/${id}/rotate-secret`, undefined, business.owner)).body;

    await world.attempt((await world.delivery(id)).ref);
    await rows("update webhooks set previous_valid_until = now() - interval '1 second' where id = $1", id);
    await world.attempt((await world.delivery(id)).ref);

    const [first, second] = endpoint.calls;
    assert.ok(first && second, 'two calls');
    assert.equal(first.headers['webhook-signature'], `${standard(now, first)} ${standard(before, first)}`);
    assert.equal(first.headers['x-service-signature'], createHmac('sha256', now).update(BODY).digest('hex'));
    assert.equal(second.headers['webhook-signature'], standard(now, second));
  });

  it('is tried again when it is due, not before, and is exhausted after the last attempt', async () => {
    await using endpoint = await receiver(answer(500));
    const { ref, id } = await world.delivery((await world.webhook(endpoint.url)).id);

    const first = await world.attempt(ref);
    assert.equal(first.type, 'EndpointFailed');
    assert.ok(first.delayMs !== null && first.delayMs >= 4_000 && first.delayMs <= 6_000, `${first.delayMs} ms`);
    const early = await world.attempt(ref);
    assert.equal(early.type, 'NotDue');
    assert.ok(early.delayMs !== null && early.delayMs <= first.delayMs, `${early.delayMs} ms`);
    assert.equal(endpoint.calls.length, 1);

    await becomeDue(id);
    const second = await world.attempt(ref);
    assert.ok(
      second.delayMs !== null && second.delayMs >= 240_000 && second.delayMs <= 360_000,
      `${second.delayMs} ms`,
    );
    assert.equal((await rowOf(id))?.['status'], 'PENDING');
    await becomeDue(id);
    assert.equal((await world.attempt(ref)).outcome, 'exhausted');

    assert.deepEqual(
      await attemptsOf(id),
      [1, 2, 3].map((number) => ({ number, status_code: 500, error_code: null, finished: true })),
    );
    assert.deepEqual(
      endpoint.calls.map(({ headers }) => headers['x-service-attempt']),
      ['1', '2', '3'],
    );
    assert.equal(new Set(endpoint.calls.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.equal((await rowOf(id))?.['status'], 'EXHAUSTED');
  });

  for (const [asked, least, most] of [
    ['8', 8_000, 8_000],
    ['3600', 10_000, 10_000],
    ['1', 4_000, 6_000],
    ['soon', 4_000, 6_000],
  ] as const) {
    it(`waits ${least === most ? least : `${least} to ${most}`} ms before a step of 5 s when Retry-After is ${asked}`, async () => {
      await using endpoint = await receiver(answer(503, { 'Retry-After': asked }));
      const { ref } = await world.delivery((await world.webhook(endpoint.url)).id);

      const { delayMs } = await world.attempt(ref);

      assert.ok(delayMs !== null && delayMs >= least && delayMs <= most, `${delayMs} ms`);
    });
  }

  it('notes what came of it when there was no answer, and follows no redirect', async () => {
    await using target = await receiver();
    await using moved = await receiver(answer(302, { Location: target.url }));
    await using broken = await receiver((res) => void res.destroy());
    const kinds = [
      await world.delivery((await world.webhook(moved.url)).id),
      await world.delivery((await world.webhook(broken.url)).id),
    ];
    for (const { ref } of kinds) assert.equal((await world.attempt(ref)).type, 'EndpointFailed');

    const found = await Promise.all(kinds.map(({ id }) => rowOf(id)));

    assert.deepEqual(
      found.map((row) => [row?.['status_code'], row?.['error_code']]),
      [
        [302, null],
        [0, 'reset'],
      ],
    );
    assert.equal(target.calls.length, 0);
  });

  it('keeps what PostgreSQL can store of an answer: no NUL, no broken UTF-8, 4 KiB of ten megabytes', async () => {
    await using odd = await receiver((res) => void res.end(Buffer.from([0x61, 0, 0xff, 0xc3, 0x28, 0x62])));
    await using huge = await receiver((res) => {
      res.on('error', () => undefined);
      res.end('x'.repeat(10 * 1024 * 1024));
    });
    const kinds = [
      await world.delivery((await world.webhook(odd.url)).id),
      await world.delivery((await world.webhook(huge.url)).id),
    ];
    for (const { ref } of kinds) assert.equal((await world.attempt(ref)).outcome, 'delivered');

    const bodies = await Promise.all(kinds.map(async ({ id }) => (await rowOf(id))?.['response_body']));

    assert.deepEqual(bodies, ['a(b', 'x'.repeat(4096)]);
  });

  describe('an endpoint that', () => {
    const state = async (id: string) =>
      (await rows('select is_active, failing_since is not null as failing from webhooks where id = $1', id))[0];
    const notices = (at: build.Business) =>
      rows("select title, body from notifications where tenant_id = $1 and type = 'webhook_disabled'", at.tenantId);

    it('answers 410 switches its webhook off, with one notice, and what else waits for it is skipped', async () => {
      const other = await build.business();
      await using endpoint = await receiver(answer(410));
      const { id } = await world.webhook(endpoint.url, other);
      const [one, two] = [await world.delivery(id, other), await world.delivery(id, other)];

      assert.equal((await world.attempt(one.ref)).outcome, 'exhausted');
      assert.equal((await world.attempt(two.ref)).outcome, 'skipped');

      assert.deepEqual(await state(id), { is_active: false, failing: true });
      assert.equal(endpoint.calls.length, 1);
      assert.equal((await notices(other)).length, 1);
      const audit = await rows("select actor, metadata from audit_logs where entity_id = $1 and action = 'update'", id);
      assert.deepEqual(
        audit.map(({ actor, metadata }) => [
          actor,
          JSON.parse(String(metadata)).reason,
          typeof JSON.parse(String(metadata)).run.runId,
        ]),
        [['service', 'gone', 'string']],
      );
    });

    it('failed for five days switches its webhook off, with one notice for all that failed at once', async () => {
      const other = await build.business();
      await using endpoint = await receiver(answer(500));
      const { id } = await world.webhook(endpoint.url, other);
      const waiting = [
        await world.delivery(id, other),
        await world.delivery(id, other),
        await world.delivery(id, other),
      ];
      const [first, second] = waiting;
      await rows(
        'update webhooks set failing_since = $2 where id = $1',
        id,
        new Date(Date.now() - 5 * DAY_MS + 60_000),
      );
      assert.ok(first && second, 'three deliveries');
      assert.equal((await world.attempt(first.ref)).type, 'EndpointFailed');
      await rows('update webhooks set failing_since = $2 where id = $1', id, new Date(Date.now() - 5 * DAY_MS));

      const outcomes = await Promise.all(waiting.slice(1).map(({ ref }) => world.attempt(ref)));
      await becomeDue(first.id);

      assert.deepEqual(outcomes.filter(({ outcome }) => outcome === 'exhausted').length > 0, true);
      assert.equal((await world.attempt(first.ref)).outcome, 'cancelled');
      assert.equal((await state(id))?.['is_active'], false);
      assert.equal((await notices(other)).length, 1);
    });

    it('works again is no longer failing', async () => {
      await using endpoint = await receiver();
      const { id } = await world.webhook(endpoint.url);
      await rows("update webhooks set failing_since = now() - interval '6 days' where id = $1", id);

      await world.attempt((await world.delivery(id)).ref);

      assert.deepEqual(await state(id), { is_active: true, failing: false });
    });
  });

  it('is skipped when the plan went back to FREE, and cancelled when the webhook is gone', async () => {
    const other = await build.business();
    await using endpoint = await receiver();
    const { id } = await world.webhook(endpoint.url, other);
    const [free, deleted] = [await world.delivery(id, other), await world.delivery(id, other)];
    await build.patchTenant(other, { plan: 'FREE' });
    assert.equal((await world.attempt(free.ref)).outcome, 'skipped');
    await build.patchTenant(other, { plan: 'PRO' });
    await app.request('DELETE', `/api/webhooks/${id}`, { headers: other.owner });

    assert.equal((await world.attempt(deleted.ref)).outcome, 'cancelled');
    assert.equal(endpoint.calls.length, 0);
  });

  it('finds an endpoint busy with two others, which spends no attempt', async () => {
    const held: ServerResponse[] = [];
    await using endpoint = await receiver((res) => void held.push(res));
    const { id } = await world.webhook(endpoint.url);
    const all = [await world.delivery(id), await world.delivery(id), await world.delivery(id)];
    const [, , third] = all;
    assert.ok(third, 'three deliveries');
    const busy = all.slice(0, 2).map(({ ref }) => world.attempt(ref));
    await eventually(() => assert.equal(held.length, 2));

    const refused = await world.attempt(third.ref);

    assert.equal(refused.type, 'EndpointBusy');
    assert.ok(refused.delayMs !== null && refused.delayMs <= 1_200, `${refused.delayMs} ms`);
    assert.deepEqual(await attemptsOf(third.id), []);
    for (const res of held.splice(0)) res.end('ok');
    await Promise.all(busy);
    const last = world.attempt(third.ref);
    await eventually(() => assert.equal(held.length, 1));
    held[0]?.end('ok');
    assert.equal((await last).outcome, 'delivered');
  });

  it('counts an attempt once that was lost with its worker, and not what comes of it late', async () => {
    const held: ServerResponse[] = [];
    await using endpoint = await receiver((res) => void held.push(res));
    const { ref, id } = await world.delivery((await world.webhook(endpoint.url)).id);
    const lost = world.attempt(ref);
    await eventually(() => assert.equal(held.length, 1));
    const taken = world.attempt(ref);
    await eventually(() => assert.equal(held.length, 2));

    held[0]?.writeHead(500).end();
    assert.equal((await lost).type, 'AttemptLate');
    held[1]?.end('ok');

    assert.equal((await taken).outcome, 'delivered');
    assert.deepEqual(await attemptsOf(id), [{ number: 1, status_code: 200, error_code: null, finished: true }]);
    assert.equal((await rowOf(id))?.['status'], 'DELIVERED');
  });
});

/** The signature of Standard Webhooks, computed from its text: base64 key after the prefix, over id.time.body. */
function standard(secret: string, { headers, body }: Call): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const message = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return `v1,${createHmac('sha256', key).update(message).digest('base64')}`;
}
