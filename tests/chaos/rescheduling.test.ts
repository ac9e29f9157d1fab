import assert from 'node:assert/strict';
import { type Receiver, receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { type Business, makeQuote, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { copySentQuotes } from '../servers/copied-quotes.ts';
import { firstAttempts } from './first-attempt-latency.ts';
import { isLong, report } from './report.ts';
import { limitOf } from './slowdown.ts';

const QUOTES = isLong() ? 10_000 : 300;
/** How long another tenant's first attempts are measured, without and during the rescheduling. */
const [ALONE_MS, DURING_MS] = isLong() ? [60_000, 60_000] : [5_000, 6_000];
/** Quotes of the tenant whose worker is killed: more than a page. */
const KILLED_QUOTES = isLong() ? 100 : 25;

describe("during the rescheduling of a tenant's reminders", function () {
  this.timeout(10 * 60_000);
  let service: Installation;
  let endpoint: Receiver;

  before(async () => {
    service = await installation();
    endpoint = await receiver();
  });
  after(async () => {
    await endpoint?.[Symbol.asyncDispose]();
  });

  /** A tenant with that many SENT quotes. */
  async function withSentQuotes(count: number): Promise<Business> {
    const business = await register(service);
    const { id } = await makeQuote(service, business);
    await copySentQuotes((...query) => service.rows(...query), id, count);
    // The reconciler starts missing lifecycles that are older than some seconds; here only the settings change is to
    // wake them up, at its own rate.
    await service.rows(
      "update quotes set created_at = now() + interval '1 hour', updated_at = now() + interval '1 hour' where tenant_id = $1",
      business.tenantId,
    );
    return business;
  }
  async function remindDaysBefore(reminderDaysBefore: number, { owner }: Business): Promise<void> {
    const body = { companyName: 'Muebles Roble', email: 'roble@dueno.test', reminderDaysBefore };
    const res = await service.http.request('PUT', '/api/settings', { body, headers: owner });
    assert.equal(res.status, 200, JSON.stringify(res.body));
  }
  /** Quotes whose reminder is timed by this setting. */
  async function rescheduled({ tenantId }: Business, days: number): Promise<number> {
    const [row] = await service.rows(
      'select count(*)::int as n from expiry_reminders where tenant_id = $1 and reminder_days = $2',
      tenantId,
      days,
    );
    return Number(row?.['n']);
  }

  it(`first attempts of another tenant keep their limit, with ${QUOTES} SENT quotes to signal`, async () => {
    const [large, other] = [await withSentQuotes(QUOTES), await register(service)];
    const webhook = { url: endpoint.url, events: ['product.created'] };
    assert.equal((await service.http.post('/api/webhooks', webhook, other.owner)).status, 201);
    const measured = { service, endpoint };
    // The first deliveries load code.
    await firstAttempts(measured, other, 3_000);
    const alone = await firstAttempts(measured, other, ALONE_MS);
    await remindDaysBefore(5, large);
    const before = await eventually(async () => {
      const count = await rescheduled(large, 5);
      assert.ok(count > 0, 'it has not begun');
      return count;
    }, 60_000);

    const startedAt = performance.now();
    const during = await firstAttempts(measured, other, DURING_MS);
    const after = await rescheduled(large, 5);

    const perSecond = ((after - before) / ((performance.now() - startedAt) / 1_000)).toFixed(1);
    const isKept = during.p95 <= limitOf(alone.p95);
    await report({
      fault: `F21 ${QUOTES} SENT quotes of another tenant being rescheduled after a settings change`,
      times: 1,
      kills: 0,
      invariants: 'first attempts of the other tenant: p95 ≤ max(3 × alone, alone + 500 ms)',
      result: `median ${during.median} ms and p95 ${during.p95} ms meanwhile, ${alone.median} and ${alone.p95} ms alone; ${perSecond} quotes a second`,
      lost: isKept ? 0 : 1,
      doubled: 0,
    });
    assert.ok(after > before, 'nothing was rescheduled meanwhile');
    assert.ok(after < QUOTES, 'it ended before the measurement did');
    // A few events in the short form: a single one that the machine delayed would be the p95.
    assert.ok(during.median <= limitOf(alone.median), `${during.median} ms meanwhile, ${alone.median} ms alone`);
    if (isLong()) assert.ok(isKept, `p95 ${during.p95} ms meanwhile, ${alone.p95} ms alone`);
    // So that it does not run during the next test.
    await remindDaysBefore(3, large);
    await service.rows("update quotes set status = 'LOST' where tenant_id = $1", large.tenantId);
  });

  it(`worker killed midway: each of ${KILLED_QUOTES} quotes is rescheduled`, async () => {
    const business = await withSentQuotes(KILLED_QUOTES);
    await remindDaysBefore(5, business);
    await eventually(async () => assert.ok((await rescheduled(business, 5)) >= 5, 'it has not begun'), 60_000);

    await service.processes.worker.kill();
    const before = await rescheduled(business, 5);
    await service.startWorker();

    assert.ok(before < KILLED_QUOTES, 'nothing was left to do');
    const settled = await eventually(async () => {
      assert.equal(await rescheduled(business, 5), KILLED_QUOTES);
      const [tenant] = await service.rows('select reschedule_event_id from tenants where id = $1', business.tenantId);
      assert.equal(tenant?.['reschedule_event_id'], null);
      return true;
    }, 180_000).catch(() => false);

    const lost = KILLED_QUOTES - (await rescheduled(business, 5));
    await report({
      fault: 'F21 kill -9 of the worker while it reschedules reminders',
      times: 1,
      kills: 1,
      invariants: 'each quote is rescheduled',
      result: `${before} of ${KILLED_QUOTES} quotes before the kill, ${KILLED_QUOTES - lost} in the end`,
      lost,
      doubled: 0,
    });
    assert.ok(settled, `${lost} quotes are not rescheduled`);
  });
});
