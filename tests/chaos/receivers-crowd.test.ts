import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, type Receiver, receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { type Business, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { isLong, report } from './report.ts';

/** Slower than without the hanging one by this factor and these milliseconds at most: the machine has other work. */
const SLOWER = { times: 4, byMs: 2_500 } as const;
const SAMPLES = 6;
/** Deliveries that wait for the endpoint that hangs, and healthy endpoints beside it. */
const [WAITING, HEALTHY] = isLong() ? [2_000, 19] : [150, 5];
/** Of the healthy ones' first attempts, with two cores to oneself: milliseconds, and how many times as long as alone. */
const P95_MS = 2_000;
const P95_TIMES = 1.5;

describe('Endpoints that hang', function crowd() {
  this.timeout(240_000);
  let service: Installation;
  const receivers: Receiver[] = [];

  before(async () => {
    service = await installation();
  });
  after(() => Promise.all(receivers.map((each) => each[Symbol.asyncDispose]())));

  async function listen(answer?: Parameters<typeof receiver>[0]): Promise<Receiver> {
    const made = await receiver(answer);
    receivers.push(made);
    return made;
  }
  const post = async (path: string, body: object, { owner }: Business) => {
    const res = await service.http.post(path, body, owner);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    return res.body;
  };
  async function subscribe({ url }: Receiver, event: string, count: number, business: Business): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i += 1) {
      ids.push((await post('/api/webhooks', { url: `${url}/${i}`, events: [event] }, business)).id);
    }
    return ids;
  }
  async function products(count: number, business: Business): Promise<void> {
    for (let i = 0; i < count; i += 1) await post('/api/products', { name: `Silla ${i}`, unitPrice: 10 }, business);
  }

  /** Milliseconds from a new client until one of so many endpoints has heard of it, over some clients. */
  async function firstAttempts(at: Receiver, endpoints: number, business: Business) {
    const took: number[] = [];
    for (let i = 0; i < SAMPLES; i += 1) {
      const began = performance.now();
      const { id } = await post('/api/clients', { contactName: `Laura ${i}` }, business);
      const hears = ({ body }: Call) => JSON.parse(body).data.client.id === id;
      await eventually(() => assert.equal(at.calls.filter(hears).length, endpoints), 60_000);
      took.push(...at.calls.filter(hears).map((call) => call.at - began));
    }
    const sorted = took.toSorted((a, b) => a - b);
    const share = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
    return { median: share(0.5), p95: share(0.95) };
  }

  /** Calls under way to a business's endpoints, looked at again and again; the most of them. */
  function watchInFlight({ tenantId }: Business) {
    const most = { ofBusiness: 0, ofEndpoint: 0 };
    let stopped = false;
    const look = async () => {
      const rows = await service.rows(
        `select count(*)::int as count from webhook_attempts a
           join webhook_deliveries d on d.tenant_id = a.tenant_id and d.id = a.delivery_id
          where a.tenant_id = $1 and a.finished_at is null group by d.webhook_id`,
        tenantId,
      );
      const counts = rows.map(({ count }) => Number(count));
      most.ofBusiness = Math.max(
        most.ofBusiness,
        counts.reduce((sum, one) => sum + one, 0),
      );
      most.ofEndpoint = Math.max(most.ofEndpoint, ...counts);
    };
    const watching = (async () => {
      while (!stopped) {
        await look();
        await sleep(100);
      }
    })();
    return async () => {
      stopped = true;
      await watching;
      await look();
      return most;
    };
  }
  const attemptsAt = (webhookIds: readonly string[]) =>
    service.rows(
      `select d.id, count(a.id)::int as attempts from webhook_deliveries d
         left join webhook_attempts a on a.tenant_id = d.tenant_id and a.delivery_id = d.id
        where d.webhook_id = any($1) group by d.id`,
      webhookIds,
    );

  it(`one with ${WAITING} deliveries waiting: the ${HEALTHY} healthy ones beside it hear of events as soon as without it`, async function one() {
    if (isLong()) this.timeout(30 * 60_000);
    const business = await register(service);
    const [healthy, hanging] = [await listen(), await listen(() => undefined)];
    await subscribe(healthy, 'client.created', HEALTHY, business);
    const alone = await firstAttempts(healthy, HEALTHY, business);
    const webhookIds = await subscribe(hanging, 'product.created', 1, business);
    const mostInFlight = watchInFlight(business);
    await products(WAITING, business);
    await eventually(() => assert.ok(hanging.calls.length >= 2, 'nothing hangs'), 60_000);

    const beside = await firstAttempts(healthy, HEALTHY, business);

    await report({
      fault: `F11 an endpoint that hangs with ${WAITING} deliveries waiting, beside ${HEALTHY} healthy ones`,
      times: 1,
      kills: 0,
      invariants: 'first attempts of the healthy ones, attempts in flight',
      result: `median ${beside.median} ms and p95 ${beside.p95} ms beside it, ${alone.median} and ${alone.p95} ms alone`,
      lost: 0,
      doubled: 0,
    });
    assert.ok(
      beside.median <= alone.median * SLOWER.times + SLOWER.byMs,
      `${beside.median} ms beside it, ${alone.median} ms alone`,
    );
    if (isLong())
      assert.ok(beside.p95 <= Math.min(P95_MS, alone.p95 * P95_TIMES), `p95 ${beside.p95}, ${alone.p95} alone`);
    const most = await mostInFlight();
    assert.ok(most.ofEndpoint === 2 && most.ofBusiness <= 8, `in flight: ${JSON.stringify(most)}`);
    const opened = await eventually(async () => {
      const [row] = await service.rows(
        'select consecutive_failures, next_probe_at from webhooks where id = $1',
        webhookIds[0],
      );
      assert.ok(row?.['next_probe_at'] instanceof Date, 'still called as ever');
      return Number(row['consecutive_failures']);
    }, 90_000);
    assert.ok(opened >= 5 && opened <= 7, `${opened} failures`);
    const waiting = await attemptsAt(webhookIds);
    assert.equal(waiting.length, WAITING);
    assert.ok(waiting.filter(({ attempts }) => attempts === 0).length >= WAITING - 10, 'attempts were spent');
  });

  it('twelve of one business with 120 deliveries: eight calls of it at most, and another business notices nothing', async () => {
    const [crowded, other] = [await register(service), await register(service)];
    const [healthy, hanging] = [await listen(), await listen(() => undefined)];
    await subscribe(healthy, 'client.created', 2, other);
    const alone = await firstAttempts(healthy, 2, other);
    await subscribe(hanging, 'product.created', 12, crowded);
    const mostInFlight = watchInFlight(crowded);
    await products(10, crowded);
    await eventually(() => assert.ok(hanging.calls.length >= 8, 'too few hang'), 60_000);

    const beside = await firstAttempts(healthy, 2, other);

    assert.ok(
      beside.median <= alone.median * SLOWER.times + SLOWER.byMs,
      `${beside.median} ms beside them, ${alone.median} ms alone`,
    );
    const most = await mostInFlight();
    // Twelve share eight: an endpoint may never have had a second one.
    assert.ok(most.ofBusiness === 8 && most.ofEndpoint <= 2, `in flight: ${JSON.stringify(most)}`);
  });
});
