import assert from 'node:assert/strict';
import { EVENTS as EVENT_TYPES } from '../../domain/event-types.ts';
import { eventBody } from '../../domain/events.ts';
import { type Receiver, receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { type Business, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { firstAttempts } from './first-attempt-latency.ts';
import { isLong, report } from './report.ts';
import { percentile } from './slowdown.ts';

/** Of the busy tenant: the most webhooks that one may have, and the events that all of them hear of. */
const [WEBHOOKS, EVENTS] = isLong() ? [50, 200] : [10, 40];
const DELIVERIES = WEBHOOKS * EVENTS;
const [ALONE_MS, DURING_MS] = isLong() ? [60_000, 60_000] : [5_000, 8_000];
/** Calls of the flood before a first attempt of the other tenant: half of the deliveries that a tenant may have started. */
const CALLS_BEFORE = 8;
/** How much slower the other tenant's first attempts may be: so many times, or so many milliseconds. */
const limitOf = (alone: number): number => Math.max(alone * 2, alone + 200);

describe('While a flood of deliveries of a tenant waits', function () {
  this.timeout(60 * 60_000);
  let service: Installation;
  const receivers: Receiver[] = [];

  before(async () => {
    service = await installation();
  });
  after(async () => {
    await Promise.all(receivers.map((each) => each[Symbol.asyncDispose]()));
  });

  async function subscribe({ owner }: Business, endpoint: Receiver, count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const webhook = { url: `${endpoint.url}/${n}`, events: ['product.created'] };
      assert.equal((await service.http.post('/api/webhooks', webhook, owner)).status, 201);
    }
  }
  async function waiting({ tenantId }: Business): Promise<number> {
    const sql = 'select count(*)::int as n from webhook_deliveries where tenant_id = $1 and dispatched_at is null';
    const [row] = await service.rows(sql, tenantId);
    return Number(row?.['n']);
  }

  it(`first attempts of another tenant keep their limit, with ${WEBHOOKS} webhooks that hear of ${EVENTS} events`, async () => {
    const [busy, other] = [await register(service), await register(service)];
    const [endpoint, busyEndpoint] = [await receiver(), await receiver()];
    receivers.push(endpoint, busyEndpoint);
    await subscribe(other, endpoint, 1);
    await subscribe(busy, busyEndpoint, WEBHOOKS);
    const measured = { service, endpoint };
    // The first deliveries load code.
    await firstAttempts(measured, other, 3_000);
    const alone = await firstAttempts(measured, other, ALONE_MS);
    await service.rows(
      `insert into outbox_events (id, tenant_id, type, payload, root_event_id)
       select id, $1, 'product.created', $2, id from (select 'c' || substr(md5($1 || n), 1, 24) as id from generate_series(1, $3) n) e`,
      busy.tenantId,
      eventBody('product.created', new Date(), EVENT_TYPES['product.created'].sample),
      EVENTS,
    );
    await eventually(async () => assert.ok((await waiting(busy)) > DELIVERIES / 2, 'no flood'), 60_000);

    const during = await firstAttempts(measured, other, DURING_MS);

    const left = await waiting(busy);
    const isKept = during.p95 <= limitOf(alone.p95);
    await report({
      fault: `F24 ${DELIVERIES} deliveries of another tenant to ${WEBHOOKS} endpoints`,
      times: 1,
      kills: 0,
      invariants: 'first attempts of the other tenant: p95 ≤ max(2 × alone, alone + 200 ms)',
      result: `median ${during.median} ms and p95 ${during.p95} ms meanwhile, ${alone.median} and ${alone.p95} ms alone; ${busyEndpoint.calls.length} calls of the flood`,
      lost: isKept ? 0 : 1,
      doubled: 0,
    });
    assert.ok(busyEndpoint.calls.length > 0, 'no delivery of the flood is called');
    assert.ok(left > 0, 'the flood ended before the measurement did');
    if (isLong()) assert.ok(isKept, `p95 ${during.p95} ms meanwhile, ${alone.p95} ms alone`);
    // However slow the machine is: an event that waits for the flood would see hundreds of its calls.
    const before = during.spans.map(
      ({ from, to }) => busyEndpoint.calls.filter(({ at }) => from < at && at < to).length,
    );
    const median = percentile(before, 0.5);
    assert.ok(median <= CALLS_BEFORE, `${median} calls of the flood before a first attempt: ${before.join()}`);
  });
});
