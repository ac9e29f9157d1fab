import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { gatherDeliveries, handOverBatches } from '../../activities/hand-over-batches.ts';
import { handOverDeliveries, handOverLeftDeliveries } from '../../activities/hand-over-rows.ts';
import type { HandOverDeps } from '../../activities/hand-over.ts';
import { createPace } from '../../activities/run-pace.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import { createLog } from '../../adapters/log.ts';
import { clientOptions } from '../../adapters/temporal/connection.ts';
import { connect } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import type { FirstAttemptsInput } from '../../workflows/contract.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { startOwnProcess } from '../own-process.ts';
import { needs, testStack } from '../stack.ts';
import { relay, rows, type RunningRelay } from './relay-world.ts';

needs('temporal');

/** Deliveries that wait for their hand-over; no worker runs, so what Temporal was told stays as it was told. */
describe('Hand-over of deliveries', () => {
  const running: RunningRelay[] = [];
  const closing: (() => Promise<void>)[] = [];

  const begin = async (...options: Parameters<typeof relay>): Promise<RunningRelay> => {
    const started = await relay(...options);
    running.push(started);
    return started;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    await Promise.all(closing.splice(0).map((close) => close()));
  });

  /** A business with so many webhooks, and so many deliveries that wait for each. */
  async function waiting(webhooks: number, each: number) {
    const app = await service();
    const business = await build.business();
    const ids: string[] = [];
    for (let i = 0; i < webhooks; i += 1) {
      const target = { url: `http://127.0.0.1:9/${i}`, events: ['product.created'] };
      ids.push((await app.post('/api/webhooks', target, business.owner)).body.id);
    }
    const { tenantId } = business;
    const deliveries = ids.flatMap((webhookId) =>
      Array.from({ length: each }, () => ({
        id: newId(),
        tenantId,
        webhookId,
        event: 'client.created',
        eventId: newId(),
        payload: '{}',
      })),
    );
    await app.deps.withTenant(tenantId, (trx) => WebhookDelivery.query(trx).insert(deliveries));
    return { tenantId, webhookIds: ids, deliveries };
  }
  type Waiting = Awaited<ReturnType<typeof waiting>>;

  const stateOf = ({ tenantId }: Pick<Waiting, 'tenantId'>) =>
    rows(
      `select id, webhook_id, batch_id, left_batch_at, handed_over_at is not null as handed
         from webhook_deliveries where tenant_id = $1 order by id`,
      tenantId,
    );
  /** Temporal was told of all of them, in either form. */
  const untilHandedOver = (many: Waiting) =>
    eventually(async () =>
      assert.ok(
        (await stateOf(many)).every(({ handed }) => handed),
        'some wait',
      ),
    );
  /** The runs that Temporal has of a business, as the list shows them. */
  async function runsOf(temporal: TemporalClient, { tenantId }: Waiting) {
    const found: { id: string; type: string; webhookIds: unknown }[] = [];
    for await (const run of temporal.workflow.list({ query: `TenantId = '${tenantId}'` })) {
      const { WebhookIds, WebhookId } = run.searchAttributes;
      found.push({ id: run.workflowId, type: run.type, webhookIds: WebhookIds ?? WebhookId });
    }
    return found;
  }
  async function inputOf(temporal: TemporalClient, workflowId: string): Promise<FirstAttemptsInput> {
    const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
    const [payload] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    return JSON.parse(Buffer.from(payload?.data ?? []).toString()) as FirstAttemptsInput; // as the relay wrote it
  }

  it('gives a few that wait a run each', async () => {
    const few = await waiting(2, 6);
    const { temporal } = await begin();

    await untilHandedOver(few);
    await eventually(async () => {
      const runs = await runsOf(temporal, few);
      assert.deepEqual(
        runs.map(({ id }) => id).toSorted(),
        few.deliveries.map(({ webhookId, eventId }) => `hook.${webhookId}.${eventId}`).toSorted(),
      );
    });
    assert.ok((await stateOf(few)).every(({ batch_id, handed }) => batch_id === null && handed));
  });

  it('gives 120 that wait to batches of fifty at most, what waits for one webhook to one batch, each named after its oldest', async () => {
    const many = await waiting(6, 20);
    const { temporal } = await begin();

    await untilHandedOver(many);
    const runs = await eventually(async () => {
      const found = await runsOf(temporal, many);
      assert.equal(found.length, 3);
      return found;
    });

    assert.deepEqual([...new Set(runs.map(({ type }) => type))], ['deliverFirstAttempts']);
    const inputs = await Promise.all(runs.map(({ id }) => inputOf(temporal, id)));
    const state = await stateOf(many);
    assert.deepEqual(
      runs.map(({ id }) => id),
      inputs.map(({ batchId, deliveries }) => `hooks.${batchId === deliveries[0]?.deliveryId ? batchId : 'another'}`),
    );
    assert.deepEqual(
      inputs.flatMap(({ deliveries }) => deliveries.map(({ deliveryId }) => deliveryId)).toSorted(),
      many.deliveries.map(({ id }) => id).toSorted(),
    );
    assert.deepEqual(
      state.map(({ id, batch_id }) => [id, batch_id]),
      state.map(({ id }) => [
        id,
        inputs.find(({ deliveries }) => deliveries.some(({ deliveryId }) => deliveryId === id))?.batchId,
      ]),
    );
    assert.deepEqual(
      runs
        .map(({ webhookIds }) => webhookIds as string[])
        .flat()
        .toSorted(),
      many.webhookIds.toSorted(),
    );
    const [webhookId] = many.webhookIds;
    const { count } = await temporal.workflow.count(`WebhookIds = '${webhookId}'`);
    assert.equal(count, 1);
  });

  it('keeps what comes for a webhook while a batch has deliveries for it in its hands, and hands it over after', async () => {
    const many = await waiting(1, 60);
    const { temporal } = await begin();
    await eventually(async () => {
      const handed = (await stateOf(many)).filter((row) => row['handed']);
      assert.equal(handed.length, 50);
    });

    // The batch is done with it.
    await rows(
      `update webhook_deliveries set status = 'DELIVERED', delivered_at = now(), completed_at = now()
        where tenant_id = $1 and batch_id is not null`,
      many.tenantId,
    );

    await untilHandedOver(many);
    await eventually(async () => {
      const types = (await runsOf(temporal, many)).map(({ type }) => type).toSorted();
      assert.deepEqual(types, ['deliverFirstAttempts', ...Array.from({ length: 10 }, () => 'deliverWebhook')]);
    });
  });

  it('gives what leaves a batch a run of its own, under its usual id', async () => {
    const many = await waiting(1, 20);
    const { temporal } = await begin();
    await untilHandedOver(many);
    const [leaver] = many.deliveries;

    await rows(
      'update webhook_deliveries set left_batch_at = now(), handed_over_at = null, next_attempt_at = now() where id = $1',
      leaver?.id,
    );

    const id = `hook.${leaver?.webhookId}.${leaver?.eventId}`;
    await eventually(async () => void (await temporal.workflow.getHandle(id).describe()));
    await eventually(async () => {
      const batches = (await runsOf(temporal, many)).filter(({ type }) => type === 'deliverFirstAttempts');
      assert.equal(batches.length, 1);
    });
  });

  it('hands over what waits for its first attempt apart from what has left a batch, and of that as many as asked for', async () => {
    const left = await waiting(1, 20);
    await rows(
      `update webhook_deliveries set batch_id = id, left_batch_at = now(), next_attempt_at = now() - interval '1 minute'
        where tenant_id = $1`,
      left.tenantId,
    );
    const fresh = await waiting(1, 1);

    const deps = await handingOverDeps();
    const handed = async (of: Waiting) => (await stateOf(of)).filter((row) => row['handed']).length;

    const moreFresh = await handOverDeliveries(deps, 10);
    assert.deepEqual([await handed(fresh), await handed(left), moreFresh], [1, 0, false]);

    const moreLeft = await handOverLeftDeliveries(deps, 8);
    assert.deepEqual([await handed(fresh), await handed(left), moreLeft], [1, 8, true]);
  });

  it('says that more may wait when it started as many batches as one pass starts, and not when it could start none', async () => {
    const businesses = await Promise.all(Array.from({ length: 9 }, () => waiting(1, 3)));
    const [deps, away] = [await handingOverDeps(), await handingOverDeps('127.0.0.1:9')];
    await gatherDeliveries(deps);

    assert.equal(await handOverBatches(away), false);
    await rows("update webhook_deliveries set next_attempt_at = now() where status = 'PENDING'");
    assert.equal(await handOverBatches(deps), true);
    assert.equal(await handOverBatches(deps), false);

    const states = await Promise.all(businesses.map(stateOf));
    assert.ok(states.flat().every(({ handed, batch_id }) => handed && batch_id !== null));
  });

  it('gives a few of a second a run each, and what comes more than that to a batch, however few those are', async () => {
    // All within one second, however long it takes.
    const deps = { ...(await handingOverDeps()), pace: createPace(() => 0) };
    const first = await waiting(1, 12);

    await handOverDeliveries(deps, 100);
    const then = await waiting(1, 6);
    await handOverDeliveries(deps, 100);

    const [alone, together] = [await stateOf(first), await stateOf(then)];
    assert.ok([...alone, ...together].every(({ handed }) => handed));
    assert.deepEqual(new Set(alone.map(({ batch_id }) => batch_id)), new Set([null]));
    assert.deepEqual(new Set(together.map(({ batch_id }) => batch_id)), new Set([together[0]?.['id']]));
  });

  it('puts together what comes for an endpoint in trouble once a second, and not alone', async () => {
    let now = 0;
    const deps = { ...(await handingOverDeps()), pace: createPace(() => now) };
    const many = await waiting(1, 8);
    const [left, ...rest] = many.deliveries.map(({ id }) => id);
    await rows('update webhook_deliveries set batch_id = id, left_batch_at = now() where id = $1', left);

    // What was put together may have hidden others.
    assert.deepEqual(await gatherDeliveries(deps), { alone: [], more: true });
    const first = await stateOf(many);
    await rows('update webhook_deliveries set left_batch_at = now() where tenant_id = $1', many.tenantId);
    const later = await lateDelivery(many);
    assert.deepEqual(await gatherDeliveries(deps), { alone: [], more: false });
    now = 1_000;
    const then = await gatherDeliveries(deps);

    const together = first.filter(({ id }) => rest.some((one) => one === id));
    assert.equal(new Set(together.map(({ batch_id }) => batch_id)).size, 1);
    assert.ok(together.every(({ batch_id }) => batch_id !== null));
    assert.deepEqual(then.alone, [later]);
  });

  it('three relays put each of 120 into one batch, and start each batch once', async () => {
    const many = await waiting(4, 30);
    const [{ temporal }] = await Promise.all([begin(), begin(), begin()]);

    await untilHandedOver(many);
    const runs = await eventually(async () => {
      const found = await runsOf(temporal, many);
      assert.equal(found.length, 4);
      return found;
    });

    const inputs = await Promise.all(runs.map(({ id }) => inputOf(temporal, id)));
    assert.deepEqual(
      inputs.flatMap(({ deliveries }) => deliveries.map(({ deliveryId }) => deliveryId)).toSorted(),
      many.deliveries.map(({ id }) => id).toSorted(),
    );
  });

  it('killed right after Temporal took a batch, another relay finds it and starts nothing twice', async () => {
    const many = await waiting(1, 40);
    const { env } = await testStack();

    const dying = await startOwnProcess(
      'tests/activities/dying-relay.ts',
      { ...env, DIES_AT: 'deliverFirstAttempts' },
      { waitFor: 'exit' },
    );
    const before = await stateOf(many);
    const later = await lateDelivery(many);
    const { temporal } = await begin();

    assert.equal(dying.exitCode(), null, dying.output());
    assert.ok(before.every(({ handed, batch_id }) => !handed && batch_id !== null));
    await eventually(async () => {
      const state = await stateOf(many);
      assert.deepEqual(
        state.filter(({ handed }) => !handed).map(({ id }) => id),
        [later],
      );
    });
    const runId = `hooks.${String(before[0]?.['batch_id'])}`;
    // Temporal lists a run a little after it was started.
    await eventually(async () => {
      const runs = await runsOf(temporal, many);
      assert.deepEqual(
        runs.map(({ id }) => id),
        [runId],
      );
    });
    assert.equal((await inputOf(temporal, runId)).deliveries.length, 40);
  });

  it('waits while Temporal is away, as it was put together, and tells it when it is back', async () => {
    const many = await waiting(1, 20);
    const away = await begin({ address: '127.0.0.1:9' });
    await eventually(async () => {
      const [row] = await rows('select max(attempts) as n from webhook_deliveries where tenant_id = $1', many.tenantId);
      assert.ok(Number(row?.['n']) > 0, 'it was not tried');
    });
    const batches = (await stateOf(many)).map(({ batch_id }) => batch_id);
    await away.stop();
    running.splice(running.indexOf(away), 1);

    await begin();

    await untilHandedOver(many);
    assert.deepEqual(
      (await stateOf(many)).map(({ batch_id }) => batch_id),
      batches,
    );
    assert.equal(new Set(batches).size, 1);
  });

  it('is told to stop while Temporal hangs: waits for the start under way, not for one of each that left its batch', async () => {
    const left = await waiting(1, 8);
    await rows(
      'update webhook_deliveries set batch_id = id, left_batch_at = now() where tenant_id = $1',
      left.tenantId,
    );
    const taken = new Set<Socket>();
    const hanging = createServer((socket) => taken.add(socket)).listen(0, '127.0.0.1');
    closing.push(async () => {
      hanging.close();
      for (const socket of taken) socket.destroy();
    });
    await once(hanging, 'listening');
    const { port } = hanging.address() as AddressInfo; // a server that listens on a port has one
    const relaying = await begin({ address: `127.0.0.1:${port}` });
    const tried = async () => {
      const [row] = await rows(
        'select sum(attempts)::int as n from webhook_deliveries where left_batch_at is not null and handed_over_at is null',
      );
      return Number(row?.['n']);
    };
    // A start that is under way has the lease of its row.
    const leased = `select id from webhook_deliveries
      where left_batch_at is not null and handed_over_at is null and attempts = 0 and next_attempt_at > now()`;
    await eventually(async () => assert.equal((await rows(leased)).length, 1));

    const before = await tried();
    await relaying.stop();

    running.splice(running.indexOf(relaying), 1);
    // Starts that failed are counted, not the seconds they took. Another one may have begun before the relay was told.
    const since = (await tried()) - before;
    assert.ok(since === 1 || since === 2, `${since} starts`);
    assert.equal((await stateOf(left)).filter((row) => row['handed']).length, 0);
  });

  /** What a pass of a relay is given. */
  async function handingOverDeps(address?: string): Promise<HandOverDeps> {
    const config = readWorkerConfig((await testStack()).env);
    const knex = connect({ url: config.DATABASE_RELAY_URL, pool: 3, applicationName: 'relay-test' });
    const connection = Connection.lazy(
      clientOptions({ ...config, ...(address !== undefined && { TEMPORAL_ADDRESS: address }) }),
    );
    closing.push(async () => {
      await connection.close();
      await knex.destroy();
    });
    const temporal = new TemporalClient({ connection, namespace: config.TEMPORAL_NAMESPACE });
    return { knex, temporal, log: createLog({ level: 'silent', name: 'relay' }) };
  }

  /** One more for its webhook. */
  async function lateDelivery({ tenantId, webhookIds: [webhookId = ''] }: Waiting): Promise<string> {
    const { deps } = await service();
    const row = { id: newId(), tenantId, webhookId, event: 'client.created', eventId: newId(), payload: '{}' };
    await deps.withTenant(tenantId, (trx) => WebhookDelivery.query(trx).insert(row));
    return row.id;
  }
});
