import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type { DeliverActivities } from '../../activities/webhooks/deliver.ts';
import { newId } from '../../db/ids.ts';
import { ensureTool } from '../../dev/tools.ts';
import { pauseAfter, RETRY_PAUSES_S } from '../../domain/delivery-schedule.ts';
import { deliveryStart } from '../../worker/start-workflows.ts';
import type { deliverWebhook } from '../../workflows/deliver-webhook.ts';
import './quiet.ts';
import { startWorkers } from './workers.ts';

const HOUR_MS = 60 * 60 * 1000;
/** The server starts the next try a little after it is due. */
const LATE_MS = 3_000;

describe('deliverWebhook', () => {
  let env: TestWorkflowEnvironment;
  let stop: () => Promise<void>;
  const steps = new Map<string, DeliverActivities['deliver']>();

  before(async () => {
    const path = await ensureTool('temporal-test-server');
    env = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } });
    const activities: DeliverActivities = {
      deliver: async (ref) => steps.get(ref.deliveryId)?.(ref) ?? { outcome: 'closed' },
    };
    stop = await startWorkers({ connection: env.nativeConnection, activities });
  });
  after(async () => {
    await stop();
    await env.teardown();
  });

  async function deliver(step: DeliverActivities['deliver']) {
    const delivery = { tenantId: newId(), deliveryId: newId(), webhookId: newId(), eventId: newId() };
    steps.set(delivery.deliveryId, step);
    // As the dispatcher starts it, but for the search attributes, which this server does not know.
    const { typedSearchAttributes: _unknown, ...options } = deliveryStart(
      { ...delivery, event: 'quote.created', replay: 0, quoteId: null, quoteNumber: null },
      null,
    );
    const handle = await env.client.workflow.start<typeof deliverWebhook>('deliverWebhook', options);
    return { result: await handle.result(), handle };
  }

  for (const [random, hours] of [
    [0.5, 75 + 35 / 60],
    [0, (75 + 35 / 60) * 0.8],
    [1, (75 + 35 / 60) * 1.2],
  ] as const) {
    it(`makes ten attempts, each when it is due, over ${hours.toFixed(1)} hours when chance is ${random}`, async () => {
      const due: number[] = [];
      const made: number[] = [];

      const { result, handle } = await deliver(async () => {
        const now = await env.currentTimeMs();
        made.push(now);
        const pause = pauseAfter(made.length, {
          pausesS: RETRY_PAUSES_S,
          retryAfter: null,
          random,
          now: new Date(now),
        });
        if (pause === undefined) return { outcome: 'exhausted' };
        due.push(now + pause);
        throw ApplicationFailure.create({ type: 'EndpointFailed', message: 'no', nextRetryDelay: pause });
      });

      assert.deepEqual(result, { outcome: 'exhausted' });
      assert.equal(made.length, 10);
      const late = made.slice(1).map((at, i) => at - (due[i] ?? 0));
      assert.ok(
        late.every((ms) => ms >= -50 && ms < LATE_MS),
        `late by ${late.join(', ')} ms`,
      );
      const took = (made.at(-1) ?? 0) - (made[0] ?? 0);
      assert.ok(Math.abs(took - hours * HOUR_MS) < 10 * LATE_MS, `${took / HOUR_MS} h`);
      // The history does not grow with the attempts.
      assert.ok(((await handle.fetchHistory()).events?.length ?? 0) < 15, 'a short history');
    });
  }

  it('a throttled delivery retries hundreds of times when it is due, and its history stays short', async () => {
    const due: number[] = [];
    const asked: number[] = [];

    const { result, handle } = await deliver(async () => {
      const now = await env.currentTimeMs();
      asked.push(now);
      if (asked.length > 300) return { outcome: 'delivered' };
      due.push(now + 60_000);
      throw ApplicationFailure.create({ type: 'EndpointDown', message: 'espera', nextRetryDelay: 60_000 });
    });

    assert.deepEqual(result, { outcome: 'delivered' });
    const late = asked.slice(1).map((at, i) => at - (due[i] ?? 0));
    assert.ok(
      late.every((ms) => ms >= -50 && ms < LATE_MS),
      `late by ${late.join(', ')} ms`,
    );
    assert.ok(((await handle.fetchHistory()).events?.length ?? 0) < 15, 'a short history');
  });

  it('tries again within two seconds after an attempt that was lost', async () => {
    const made: number[] = [];

    const { result } = await deliver(async () => {
      made.push(await env.currentTimeMs());
      if (made.length < 4) throw new Error('the worker lost its database');
      return { outcome: 'delivered' };
    });

    assert.deepEqual(result, { outcome: 'delivered' });
    assert.ok(
      made.slice(1).every((at, i) => at - (made[i] ?? 0) < 2_000 + LATE_MS),
      made.join(', '),
    );
  });

  for (const outcome of ['delivered', 'skipped', 'cancelled', 'closed'] as const) {
    it(`ends at once with "${outcome}" when its only step says so`, async () => {
      assert.deepEqual((await deliver(async () => ({ outcome }))).result, { outcome });
    });
  }
});
