import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { newId } from '../../db/ids.ts';
import { WebhookAttempt } from '../../db/models/webhook-attempt.ts';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { type Service, service } from '../api/service.ts';
import { answer, becomeDue, delivering } from './delivering.ts';
import { rows } from '../worker/dispatcher-world.ts';

interface Attempt {
  readonly number: number;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly durationMs: number | null;
  readonly statusCode: number | null;
  readonly responseBody: string | null;
  readonly errorCode: string | null;
}

describe('GET /api/webhooks/:id/deliveries/:deliveryId', () => {
  let app: Service;
  let business: build.Business;
  let world: ReturnType<typeof delivering>;

  beforeEach(async () => {
    app = await service();
    business = await build.business();
    world = delivering({ app, business });
  });

  /** A receiver that answers the first calls so, one after another, and the last of them for ever after. */
  const answering = (...answers: readonly ((res: ServerResponse) => void)[]) => {
    let calls = 0;
    return receiver((res) => answers[Math.min(calls++, answers.length - 1)]?.(res));
  };

  /** Makes so many attempts of a new delivery, as Temporal would when each is due. */
  async function attempted(webhookId: string, times: number) {
    const { id, ref } = await world.delivery(webhookId);
    for (let n = 0; n < times; n += 1) {
      if (n > 0) await becomeDue(id);
      await world.attempt(ref);
    }
    return id;
  }

  async function shown(webhookId: string, deliveryId: string) {
    const res = await app.get(`/api/webhooks/${webhookId}/deliveries/${deliveryId}`, business.owner);
    assert.equal(res.status, 200, JSON.stringify(res.body));
    return res.body as { status: string; statusCode: number | null; attempts: readonly Attempt[] };
  }
  const outcomes = ({ attempts }: { readonly attempts: readonly Attempt[] }) =>
    attempts.map(({ number, statusCode, errorCode, responseBody }) => [number, statusCode, errorCode, responseBody]);

  it('lists an attempt that got 500 and the one after it that delivered', async () => {
    await using endpoint = await answering(answer(500), (res) => res.end('ok'));
    const { id } = await world.webhook(endpoint.url);

    const delivery = await shown(id, await attempted(id, 2));

    assert.deepEqual([delivery.status, delivery.statusCode], ['DELIVERED', 200]);
    assert.deepEqual(outcomes(delivery), [
      [1, 500, null, 'no'],
      [2, 200, null, 'ok'],
    ]);
  });

  it('shows the members of the delivery in the list, with the attempts added', async () => {
    await using endpoint = await receiver();
    const { id } = await world.webhook(endpoint.url);
    const deliveryId = await attempted(id, 1);

    const { attempts, ...delivery } = await shown(id, deliveryId);

    const listed = (await app.get(`/api/webhooks/${id}/deliveries`, business.owner)).body.data[0];
    assert.deepEqual(delivery, listed);
    assert.equal(attempts.length, 1);
  });

  it('gives each attempt its own time and duration', async () => {
    await using endpoint = await answering((res) => void setTimeout(() => res.writeHead(503).end(), 120), answer(204));
    const { id } = await world.webhook(endpoint.url);
    const began = new Date(Date.now() - 2_000).toISOString();

    const [first, second] = (await shown(id, await attempted(id, 2))).attempts;

    assert.ok(first && second, 'two attempts');
    assert.ok((first.durationMs ?? 0) >= 115 && (first.durationMs ?? 0) < 5_000, `${first.durationMs} ms`);
    const moments = [began, first.startedAt, first.finishedAt ?? '', second.startedAt, second.finishedAt ?? ''];
    assert.deepEqual(moments, moments.toSorted());
    assert.ok(moments.every((moment) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(moment)));
  });

  it('shows a reset connection as statusCode 0 and reset, also after the delivery', async () => {
    await using endpoint = await answering((res) => void res.socket?.resetAndDestroy(), answer(202));
    const { id } = await world.webhook(endpoint.url);

    const delivery = await shown(id, await attempted(id, 2));

    assert.equal(delivery.status, 'DELIVERED');
    assert.deepEqual(outcomes(delivery), [
      [1, 0, 'reset', ''],
      [2, 202, null, 'no'],
    ]);
  });

  it('shows a replay with its own attempts, and the original with those that it had', async () => {
    await using endpoint = await answering(answer(410), answer(200));
    const { id } = await world.webhook(endpoint.url);
    const original = await attempted(id, 1);
    await app.request('PUT', `/api/webhooks/${id}`, { headers: business.owner, body: { isActive: true } });
    const replay = (await app.post(`/api/webhooks/${id}/deliveries/${original}/replay`, undefined, business.owner))
      .body;

    await world.attempt({ tenantId: business.tenantId, deliveryId: replay.id });

    assert.deepEqual(outcomes(await shown(id, original)), [[1, 410, null, 'no']]);
    assert.deepEqual(outcomes(await shown(id, replay.id)), [[1, 200, null, 'no']]);
  });

  it('has no attempts before the first, and shows one under way without an end', async () => {
    const { id } = await world.webhook('http://127.0.0.1:1/');
    const { id: deliveryId } = await world.delivery(id);
    assert.deepEqual((await shown(id, deliveryId)).attempts, []);

    const { tenantId } = business;
    await app.deps.withTenant(tenantId, (trx) =>
      WebhookAttempt.query(trx).insert({ id: newId(), tenantId, deliveryId, number: 1, claimToken: newId() }),
    );

    const { startedAt, ...open } = (await shown(id, deliveryId)).attempts[0] ?? {};
    assert.ok(startedAt);
    assert.deepEqual(open, {
      number: 1,
      finishedAt: null,
      durationMs: null,
      statusCode: null,
      responseBody: null,
      errorCode: null,
    });
  });

  it('shows an attempt without its claim token, and without its answer once that is no longer kept', async () => {
    await using endpoint = await answering(answer(500), answer(200));
    const { id } = await world.webhook(endpoint.url);
    const deliveryId = await attempted(id, 2);
    await rows('update webhook_attempts set response_body = null where delivery_id = $1', deliveryId);

    const delivery = await shown(id, deliveryId);

    assert.deepEqual(outcomes(delivery), [
      [1, 500, null, null],
      [2, 200, null, null],
    ]);
    assert.doesNotMatch(JSON.stringify(delivery), /claim/i);
  });

  it('answers 404 «Entrega no encontrada» for a delivery of another webhook of the business', async () => {
    const [one, other] = [await world.webhook('http://127.0.0.1:1/'), await world.webhook('http://127.0.0.1:1/')];
    const { id: deliveryId } = await world.delivery(other.id);

    const res = await app.get(`/api/webhooks/${one.id}/deliveries/${deliveryId}`, business.owner);

    assert.deepEqual([res.status, res.body.error], [404, 'Entrega no encontrada']);
  });
});
