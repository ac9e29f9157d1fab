import assert from 'node:assert/strict';
import { createFirstAttemptActivities, type FirstAttemptActivities } from '../../activities/first-attempts.ts';
import { newId } from '../../db/ids.ts';
import type { deliverFirstAttempts } from '../../workflows/deliver-first-attempts.ts';
import { type FirstAttemptsInput } from '../../workflows/contract.ts';
import { firstAttemptsStart } from '../../workflows/delivery-starts.ts';
import { delivering } from '../activities/delivering.ts';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { service } from '../api/service.ts';
import { rows } from '../activities/relay-world.ts';
import './quiet.ts';
import { type SkippingWorld, skippingWorld } from './skipping.ts';
import { createOutboundHttp } from '../../adapters/outbound-http/client.ts';

type Step = FirstAttemptActivities['makeFirstAttempts'];

describe('deliverFirstAttempts', () => {
  let world: SkippingWorld;
  let real: Step;
  let deliveries: ReturnType<typeof delivering>;
  const steps = new Map<string, Step>();

  before(async () => {
    const app = await service();
    const outbound = createOutboundHttp(app.deps.config);
    const delivery = { ...app.deps, outbound, pausesS: [5, 300], probeS: 60, nudge: () => undefined };
    // On a busy machine an endpoint that answers may take a second; the one that hangs takes longer than this too.
    const activitiesOf = createFirstAttemptActivities(delivery, { slowMs: 8_000 });
    real = (input) => activitiesOf.makeFirstAttempts(input);
    deliveries = delivering({ app, business: await build.business() });
    const activities: FirstAttemptActivities = {
      makeFirstAttempts: (input) => (steps.get(input.batchId) ?? real)(input),
    };
    world = await skippingWorld(activities);
  });
  after(() => world.stop());

  const start = (input: FirstAttemptsInput) =>
    world.env.client.workflow.start<typeof deliverFirstAttempts>(
      'deliverFirstAttempts',
      firstAttemptsStart({
        ...input,
        deliveries: input.deliveries.map((one) => ({
          ...one,
          event: 'quote.created',
          eventId: newId(),
          replay: 0,
          quoteId: newId(),
          quoteNumber: 1,
        })),
      }),
    );
  const lengthOf = async (handle: Awaited<ReturnType<typeof start>>) =>
    (await handle.fetchHistory()).events?.length ?? 0;
  const statuses = async ({ deliveries: given }: FirstAttemptsInput) =>
    (
      await rows(
        `select status, left_batch_at is not null as left, count(*)::int as n from webhook_deliveries
          where id = any ($1) group by 1, 2 order by 1, 2`,
        given.map(({ deliveryId }) => deliveryId),
      )
    ).map(({ status, left, n }) => [status, left, n]);

  it('delivers fifty in one step: its id is that of the oldest, its history a few events', async () => {
    await using endpoint = await receiver();
    const { id } = await deliveries.webhook(endpoint.url);
    const input = await deliveries.batch({ [id]: 50 });

    const handle = await start(input);

    assert.deepEqual(await handle.result(), { delivered: 50, alone: 0, ended: 0 });
    assert.equal(handle.workflowId, `hooks.${input.deliveries[0]?.deliveryId}`);
    assert.deepEqual(await statuses(input), [['DELIVERED', false, 50]]);
    assert.equal(endpoint.calls.length, 50);
    assert.equal(await lengthOf(handle), 11);
  });

  it('ends with those that failed gone their own way', async () => {
    let n = 0;
    await using endpoint = await receiver((res) => res.writeHead((n += 1) % 10 === 0 ? 503 : 200).end());
    const { id } = await deliveries.webhook(endpoint.url);
    const input = await deliveries.batch({ [id]: 20 });

    assert.deepEqual(await (await start(input)).result(), { delivered: 18, alone: 2, ended: 0 });

    assert.deepEqual(await statuses(input), [
      ['DELIVERED', false, 18],
      ['PENDING', true, 2],
    ]);
  });

  it('is over after the deadline of one call when an endpoint hangs, with all the others delivered', async () => {
    await using hanging = await receiver(() => undefined);
    await using well = await receiver();
    const [hangs, answers] = [await deliveries.webhook(hanging.url), await deliveries.webhook(well.url)];
    const input = await deliveries.batch({ [hangs.id]: 20, [answers.id]: 20 });

    assert.deepEqual(await (await start(input)).result(), { delivered: 20, alone: 20, ended: 0 });

    assert.equal(hanging.calls.length, 2);
    // One deadline for both, as PostgreSQL dated them: neither waited for the other.
    const attempts = await rows(
      `select array_agg(error_code) as errors, max(started_at) < min(finished_at) as together
         from webhook_attempts where delivery_id = any ($1) and error_code is not null`,
      input.deliveries.map(({ deliveryId }) => deliveryId),
    );
    assert.deepEqual(attempts, [{ errors: ['timeout', 'timeout'], together: true }]);
  });

  it('goes on after tries that were lost, and its history does not grow with them', async () => {
    await using endpoint = await receiver();
    const { id } = await deliveries.webhook(endpoint.url);
    const input = await deliveries.batch({ [id]: 10 });
    let tries = 0;
    steps.set(input.batchId, async (given) => {
      tries += 1;
      if (tries > 3) return real(given);
      await real({ ...given, deliveries: given.deliveries.slice(0, tries) });
      throw new Error('the worker lost its database');
    });

    const handle = await start(input);

    assert.deepEqual(await handle.result(), { delivered: 10, alone: 0, ended: 0 });
    assert.equal(endpoint.calls.length, 10);
    assert.equal(await lengthOf(handle), 11);
  });
});
