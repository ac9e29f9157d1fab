import assert from 'node:assert/strict';
import { receiver, type Receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { type Business, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';

const WEBHOOKS = 3;
const EVENTS = 40;
/** Calls to one endpoint at the same time: so many may arrive twice after a kill. */
const IN_FLIGHT = 2;

/** They wait while no worker is there; a few of each endpoint are dispatched at a time when one comes. */
describe('120 deliveries that wait', function () {
  this.timeout(600_000);
  let service: Installation;
  const open: Receiver[] = [];

  before(async () => {
    service = await installation();
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((endpoint) => endpoint[Symbol.asyncDispose]()));
  });

  /** They wait, and no worker runs. */
  async function waiting(endpoints: readonly Receiver[]): Promise<Business & { webhookIds: string[] }> {
    const business = await register(service);
    const webhookIds: string[] = [];
    for (const { url } of endpoints) {
      const res = await service.http.post('/api/webhooks', { url, events: ['product.created'] }, business.owner);
      assert.equal(res.status, 201);
      webhookIds.push(res.body.id);
    }
    await service.processes.worker.stop();
    for (let i = 0; i < EVENTS; i += 1) {
      const res = await service.http.post('/api/products', { name: `Silla ${i}`, unitPrice: 100 }, business.owner);
      assert.equal(res.status, 201);
    }
    return { ...business, webhookIds };
  }
  async function endpointsOf(delayMs: number): Promise<readonly Receiver[]> {
    const made = Array.from({ length: WEBHOOKS }, () =>
      receiver((res) => void setTimeout(() => res.end('ok'), delayMs)),
    );
    open.push(...(await Promise.all(made)));
    return [...open];
  }
  const callsOf = (endpoints: readonly Receiver[]) => endpoints.flatMap(({ calls }) => calls);

  /** Each is delivered by its first attempt, heard of by its receiver, and twice only where a call was cut off. */
  async function assertEachOnce({ tenantId }: Business, endpoints: readonly Receiver[], cutOff: number) {
    await eventually(async () => {
      const tallied = await service.rows(
        'select status, count(*)::int as n from webhook_deliveries where tenant_id = $1 group by 1',
        tenantId,
      );
      assert.deepEqual(tallied, [{ status: 'DELIVERED', n: WEBHOOKS * EVENTS }]);
    }, 240_000);
    const attempts = await service.rows(
      `select number, finished_at is not null as finished, status_code, count(distinct delivery_id)::int as n
         from webhook_attempts where tenant_id = $1 group by 1, 2, 3`,
      tenantId,
    );
    assert.deepEqual(attempts, [{ number: 1, finished: true, status_code: 200, n: WEBHOOKS * EVENTS }]);
    for (const { calls } of endpoints) {
      assert.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, EVENTS);
      assert.ok(calls.length <= EVENTS + cutOff, `${calls.length} calls for ${EVENTS} events`);
    }
  }
  /** Waits until deliveries are under way, and most of them wait in PostgreSQL. */
  const begun = ({ tenantId }: Business, endpoints: readonly Receiver[]) =>
    eventually(async () => {
      assert.ok(callsOf(endpoints).length > 12, 'no delivery has begun');
      const sql = 'select count(*)::int as n from webhook_deliveries where tenant_id = $1 and dispatched_at is null';
      const [row] = await service.rows(sql, tenantId);
      assert.ok(Number(row?.['n']) > 0, 'nothing waits');
    }, 180_000);
  const workflowsOf = async ({ tenantId }: Business) =>
    (await service.temporal.workflow.count(`TenantId = '${tenantId}' and WorkflowType = 'deliverWebhook'`)).count;

  it('are delivered once each, in their order, each by a workflow of its own', async () => {
    const endpoints = await endpointsOf(5);
    const business = await waiting(endpoints);

    await service.startWorker();

    await assertEachOnce(business, endpoints, 0);
    await eventually(async () => assert.equal(await workflowsOf(business), WEBHOOKS * EVENTS));
    for (const { calls } of endpoints) {
      const places = calls.map(({ headers }) => Number(headers['x-service-sequence']));
      // Those that are dispatched together may overtake each other, and one that is throttled falls behind.
      places.forEach((place, index) =>
        assert.ok(Math.abs(place - 1 - index) < EVENTS / 2, `${place} was called as ${index}`),
      );
    }
  });

  it('are delivered once each in effect when the worker is killed in the middle of them', async () => {
    const endpoints = await endpointsOf(100);
    const business = await waiting(endpoints);
    await service.startWorker();
    await begun(business, endpoints);

    await service.processes.worker.kill();
    assert.ok(callsOf(endpoints).length < WEBHOOKS * EVENTS, 'nothing was left to do');
    await service.startWorker();

    await assertEachOnce(business, endpoints, IN_FLIGHT);
  });

  it("are delivered once each in effect when Temporal's store is lost in the middle of them", async () => {
    const endpoints = await endpointsOf(100);
    const business = await waiting(endpoints);
    await service.startWorker();
    await begun(business, endpoints);
    await service.processes.worker.kill();
    assert.ok(callsOf(endpoints).length < WEBHOOKS * EVENTS, 'nothing was left to do');

    await service.wipeTemporal();
    await service.startTemporal();
    await service.startWorker();

    await assertEachOnce(business, endpoints, IN_FLIGHT);
  });
});
