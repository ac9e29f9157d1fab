import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { newId } from '../../db/ids.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import { MAX_FIRST_ATTEMPTS, MAX_STARTING } from '../../db/webhooks/lease-deliveries.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { startOwnProcess } from '../own-process.ts';
import { testStack } from '../stack.ts';
import { dispatcher, rows, type RunningDispatcher } from './dispatcher-world.ts';

const PER_ENDPOINT = MAX_FIRST_ATTEMPTS.endpoint;

interface Flood {
  readonly webhookId: string;
  /** In the order of the queue. */
  readonly ids: readonly string[];
  readonly workflowIds: readonly string[];
}

/** No worker runs: the calls of what is dispatched begin here, and last until a test ends them. */
describe('The outbox dispatcher, of deliveries', function dispatching() {
  this.timeout(60_000);
  const running: RunningDispatcher[] = [];
  const calling: NodeJS.Timeout[] = [];

  async function begin(...options: Parameters<typeof dispatcher>): Promise<RunningDispatcher> {
    const started = await dispatcher(...options);
    running.push(started);
    return started;
  }
  afterEach(async () => {
    for (const timer of calling.splice(0)) clearInterval(timer);
    await Promise.all(running.splice(0).map((one) => one.stop()));
  });

  /** So many deliveries that wait for one endpoint. */
  async function flood(count: number, fields: { readonly replay?: number } = {}): Promise<Flood> {
    const { deps, ...app } = await service();
    const { tenantId, owner } = await build.business();
    const webhook = { url: 'http://127.0.0.1:9/', events: ['product.created'] };
    const { id: webhookId } = (await app.post('/api/webhooks', webhook, owner)).body;
    const made = Array.from({ length: count }, (_, index) => ({
      id: newId(),
      tenantId,
      webhookId,
      event: 'product.created',
      eventId: newId(),
      payload: '{}',
      sequence: String(index + 1),
      ...fields,
    }));
    await deps.withTenant(tenantId, (trx) => WebhookDelivery.query(trx).insert(made));
    calling.push(setInterval(() => void beginCalls(webhookId).catch(() => undefined), 50));
    const replay = fields.replay === undefined ? '' : `.r${fields.replay}`;
    return {
      webhookId,
      ids: made.map(({ id }) => id),
      workflowIds: made.map(({ eventId }) => `hook.${webhookId}.${eventId}${replay}`),
    };
  }
  /** As a worker would, soon after the workflow was started. */
  const beginCalls = (webhookId: string) =>
    rows(
      `insert into webhook_attempts (id, tenant_id, delivery_id, number, claim_token)
       select 'attempt of ' || id, tenant_id, id, 1, '-' from webhook_deliveries
        where webhook_id = $1 and dispatched_at is not null on conflict do nothing`,
      webhookId,
    );
  const dispatchedOf = async ({ webhookId }: Flood) =>
    (
      await rows(
        'select id from webhook_deliveries where webhook_id = $1 and dispatched_at is not null order by sequence',
        webhookId,
      )
    ).map(({ id }) => id);
  const untilDispatched = (many: Flood, ids: readonly string[]) =>
    eventually(async () => assert.deepEqual(await dispatchedOf(many), ids));
  /** Its first attempt has failed; the retries go on. */
  const fail = (id: string) => rows('update webhook_deliveries set status_code = 500 where id = $1', id);

  it('starts a few workflows of an endpoint, and one more for each first attempt that has ended', async () => {
    const many = await flood(10);
    const { temporal, wakeForDeliveries } = await begin();
    await untilDispatched(many, many.ids.slice(0, PER_ENDPOINT));

    await fail(many.ids[0] ?? '');
    await fail(many.ids[1] ?? '');
    wakeForDeliveries();

    await untilDispatched(many, many.ids.slice(0, PER_ENDPOINT + 2));
    for (const id of many.workflowIds.slice(0, PER_ENDPOINT + 2)) {
      const { status, type } = await temporal.workflow.getHandle(id).describe();
      assert.deepEqual([status.name, type], ['RUNNING', 'deliverWebhook']);
    }
  });

  it('dispatches sooner than its poll when it is woken because a first attempt has ended', async () => {
    const many = await flood(PER_ENDPOINT + 5);
    const { wakeForDeliveries } = await begin();
    await untilDispatched(many, many.ids.slice(0, PER_ENDPOINT));

    const delays: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      await fail(many.ids[n] ?? '');
      const at = Date.now();
      wakeForDeliveries();
      await untilDispatched(many, many.ids.slice(0, PER_ENDPOINT + n + 1));
      delays.push(Date.now() - at);
    }

    // Each begins soon after a dispatch: without being woken all but the first would take a whole poll, a second.
    const [, ...others] = delays;
    assert.ok(others.reduce((sum, ms) => sum + ms, 0) < 0.9 * 1_000 * others.length, `${delays.join()} ms`);
  });

  it('starts no more of an endpoint when three dispatchers work side by side', async () => {
    const many = await flood(40);
    const [{ temporal }] = await Promise.all([begin(), begin(), begin()]);
    await untilDispatched(many, many.ids.slice(0, PER_ENDPOINT));

    for (let n = 0; n < 20; n += 1) {
      await fail(many.ids[n] ?? '');
      for (const { wakeForDeliveries } of running) wakeForDeliveries();
      await untilDispatched(many, many.ids.slice(0, PER_ENDPOINT + n + 1));
    }

    const started = PER_ENDPOINT + 20;
    await assert.rejects(temporal.workflow.getHandle(many.workflowIds[started] ?? '').describe(), /not found/i);
  });

  it('starts each replay at once, whatever waits for the endpoint', async () => {
    const many = await flood(10);
    await begin();
    await untilDispatched(many, many.ids.slice(0, PER_ENDPOINT));

    await rows('update webhook_deliveries set replay = 1 where id = $1', many.ids.at(-1));

    await untilDispatched(many, [...many.ids.slice(0, PER_ENDPOINT), many.ids.at(-1) ?? '']);
  });

  it('killed right after Temporal took a delivery: another dispatcher finds its workflow and marks it', async () => {
    const many = await flood(2);
    const { env } = await testStack();

    const dying = await startOwnProcess(
      'tests/worker/dying-dispatcher.ts',
      { ...env, DIES_AT: 'deliverWebhook' },
      { waitFor: 'exit' },
    );
    assert.equal(dying.exitCode(), null, dying.output());
    assert.deepEqual(await dispatchedOf(many), []);
    const { temporal } = await begin();

    await eventually(async () => assert.deepEqual(await dispatchedOf(many), many.ids), 30_000);
    for (const id of many.workflowIds) {
      const { historyLength } = await temporal.workflow.getHandle(id).describe();
      assert.equal(historyLength, 2, 'started once, and no worker took it');
    }
  });

  it('keeps the order of the queue while Temporal is away, and dispatches when it is back', async () => {
    const many = await flood(8);
    const away = await begin({ address: '127.0.0.1:9' });
    const failed = () =>
      rows('select id from webhook_deliveries where webhook_id = $1 and dispatch_failures > 0', many.webhookId);
    await eventually(async () => assert.equal((await failed()).length, MAX_STARTING));
    await away.stop();
    running.splice(running.indexOf(away), 1);

    await begin();

    await untilDispatched(many, many.ids.slice(0, PER_ENDPOINT));
  });

  it('that are stopped while Temporal hangs end the step that is under way and begin no other', async () => {
    await flood(8);
    const taken = new Set<Socket>();
    const hanging = createServer((socket) => taken.add(socket)).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    // A server that listens on a port has one.
    const { port } = hanging.address() as AddressInfo;
    const stuck = await begin({ address: `127.0.0.1:${port}` });
    await eventually(() => assert.ok(taken.size > 0, 'it has not called'));

    const at = Date.now();
    await stuck.stop();

    running.splice(running.indexOf(stuck), 1);
    hanging.close();
    for (const socket of taken) socket.destroy();
    assert.ok(Date.now() - at < 8_000, 'one call may take five seconds');
  });
});
