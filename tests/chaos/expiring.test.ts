import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { expiryMoments } from '../../domain/expiry.ts';
import { expiryStart } from '../../workflows/contract.ts';
import { type Receiver, receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { type Business, makeQuote, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { copySentQuotes } from '../servers/copied-quotes.ts';
import { firstAttempts } from './first-attempt-latency.ts';
import { isLong, report } from './report.ts';
import { limitOf } from './slowdown.ts';

/** Quotes that expire at the same moment, and the time over which their announcements are spread (domain/expiry.ts). */
const [SAME_END, SPREAD_MS] = [10_000, 600_000] as const;
/** The measured time: the short form takes as many quotes as keep the rate of all. */
const DURING_MS = isLong() ? SPREAD_MS : 8_000;
const QUOTES = Math.round((SAME_END * DURING_MS) / SPREAD_MS);
const ALONE_MS = isLong() ? 60_000 : 5_000;
const DAY_MS = 86_400_000;

describe("during the announcements of a tenant's quotes that expire at the same moment", function () {
  this.timeout(120 * 60_000);
  let service: Installation;
  let endpoint: Receiver;

  before(async () => {
    service = await installation();
    endpoint = await receiver();
  });
  after(async () => {
    await endpoint?.[Symbol.asyncDispose]();
  });

  /** Quotes whose announcements are due one after the other from that moment on, each awaited by its workflow. */
  async function awaitingAnnouncement(business: Business, startAt: number): Promise<void> {
    const { tenantId } = business;
    const { id } = await makeQuote(service, business);
    const quotes = await copySentQuotes((...query) => service.rows(...query), id, QUOTES);
    const ends = quotes.map(({ id: quoteId }, index) => {
      const expiresAt = new Date(startAt + DAY_MS);
      const { expiringAt } = expiryMoments({ quoteId, expiresAt, reminderDaysBefore: 3, timeZone: 'UTC' });
      const wanted = startAt + (index * DURING_MS) / QUOTES;
      return new Date(expiresAt.getTime() + wanted - expiringAt.getTime()).toISOString();
    });
    // Excluded from the reconciler, which would start lifecycles during the measurement.
    await service.rows(
      `update quotes q set expires_at = e.ends, created_at = now() + interval '1 hour', updated_at = now() + interval '1 hour'
         from unnest($1::text[], $2::timestamptz[]) as e (id, ends) where q.id = e.id`,
      quotes.map((quote) => quote.id),
      ends,
    );
    const [tenant] = await service.rows('select slug from tenants where id = $1', tenantId);
    const turns = pLimit(8);
    await turns.map(quotes, ({ id: quoteId, quoteNumber }) => {
      const workflowId = `expiry.${String(tenant?.['slug'])}.COT-${quoteNumber}`;
      // The lifecycle of the first one may have started it.
      return service.temporal.workflow.start('expiryReminder', {
        ...expiryStart({ tenantId, quoteId }, { workflowId, quoteNumber }),
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
    });
    await eventually(async () => assert.equal(await countOf('1 = 1', tenantId), QUOTES), 20 * 60_000);
  }

  /** A machine that is too slow to have all workflows waiting before the first announcement gets more time for the next business. */
  async function prepareAnnouncements(msForEach = 120): Promise<{ large: Business; startAt: number }> {
    const large = await register(service);
    const startAt = Date.now() + 15_000 + QUOTES * msForEach;
    await awaitingAnnouncement(large, startAt);
    if (Date.now() < startAt) return { large, startAt };
    await eventually(async () => {
      assert.ok((await countOf('announced_at is not null', large.tenantId)) >= QUOTES - 1, 'not all are announced');
    }, 20 * 60_000);
    return prepareAnnouncements(msForEach * 4);
  }

  async function countOf(condition: string, tenantId: string): Promise<number> {
    const sql = `select count(*)::int as n from expiry_reminders where tenant_id = $1 and ${condition}`;
    const [row] = await service.rows(sql, tenantId);
    return Number(row?.['n']);
  }

  it(`first attempts of another tenant keep their limit, with ${QUOTES} announcements in ${DURING_MS / 1_000} s`, async () => {
    const other = await register(service);
    const webhook = { url: endpoint.url, events: ['product.created'] };
    assert.equal((await service.http.post('/api/webhooks', webhook, other.owner)).status, 201);
    const measured = { service, endpoint };
    // The first deliveries load code.
    await firstAttempts(measured, other, 3_000);
    const alone = await firstAttempts(measured, other, ALONE_MS);
    const { large, startAt } = await prepareAnnouncements();
    await sleep(startAt - Date.now());

    const during = await firstAttempts(measured, other, DURING_MS);

    const announced = await countOf('announced_at is not null', large.tenantId);
    const isKept = during.p95 <= limitOf(alone.p95);
    await report({
      fault: `F23 ${QUOTES} quotes of another tenant are announced to expire within ${DURING_MS / 1_000} s, as fast as ${SAME_END} that expire at the same moment`,
      times: 1,
      kills: 0,
      invariants: 'first attempts of the other tenant: p95 ≤ max(3 × alone, alone + 500 ms)',
      result: `median ${during.median} ms and p95 ${during.p95} ms meanwhile, ${alone.median} and ${alone.p95} ms alone; ${announced} announced`,
      lost: isKept ? 0 : 1,
      doubled: 0,
    });
    assert.ok(announced > QUOTES / 10, `${announced} were announced meanwhile`);
    assert.ok(during.median <= limitOf(alone.median), `${during.median} ms meanwhile, ${alone.median} ms alone`);
    if (isLong()) assert.ok(isKept, `p95 ${during.p95} ms meanwhile, ${alone.p95} ms alone`);
    // Except the first one, whose execution may have read its expiry before it was set here.
    await eventually(async () => {
      const all = await countOf('announced_at is not null', large.tenantId);
      assert.ok(all >= QUOTES - 1, `${all} are announced`);
    }, 60 * 60_000);
  });
});
