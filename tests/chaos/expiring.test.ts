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
import { type FirstAttempts, firstAttempts } from './first-attempt-latency.ts';
import { isLong, report } from './report.ts';
import { limitOf } from './slowdown.ts';

/** Quotes that expire at the same moment, and the time over which their announcements are spread (domain/expiry.ts). */
const [SAME_END, SPREAD_MS] = [10_000, 600_000] as const;
/** The measured time: the short form takes as many quotes as keep the rate of all. */
const DURING_MS = isLong() ? SPREAD_MS : 8_000;
/** The short form allows a machine that is too slow for that rate a half and a quarter of it. */
const TIMES_LONGER = isLong() ? [1] : [1, 2, 4];
const QUOTES = Math.round((SAME_END * DURING_MS) / SPREAD_MS);
const ALONE_MS = isLong() ? 60_000 : 5_000;
const DAY_MS = 86_400_000;

type Percentiles = Pick<FirstAttempts, 'median' | 'p95'>;
const textOf = ({ median, p95 }: Percentiles): string => `median ${median} ms, p95 ${p95} ms`;

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
  async function awaitingAnnouncement(business: Business, startAt: number, duringMs: number): Promise<void> {
    const { tenantId } = business;
    const { id } = await makeQuote(service, business);
    const quotes = await copySentQuotes((...query) => service.rows(...query), id, QUOTES);
    const ends = quotes.map(({ id: quoteId }, index) => {
      const expiresAt = new Date(startAt + DAY_MS);
      const { expiringAt } = expiryMoments({ quoteId, expiresAt, reminderDaysBefore: 3, timeZone: 'UTC' });
      const wanted = startAt + (index * duringMs) / QUOTES;
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
  async function prepareAnnouncements(
    duringMs: number,
    msForEach = 120,
  ): Promise<{ large: Business; startAt: number }> {
    const large = await register(service);
    const startAt = Date.now() + 15_000 + QUOTES * msForEach;
    await awaitingAnnouncement(large, startAt, duringMs);
    if (Date.now() < startAt) return { large, startAt };
    await allAnnounced(large);
    return prepareAnnouncements(duringMs, msForEach * 4);
  }

  /** Except the first one, whose execution may have read its expiry before it was set here. */
  const allAnnounced = async ({ tenantId }: Business) =>
    eventually(async () => {
      const announced = await countOf('announced_at is not null', tenantId);
      assert.ok(announced >= QUOTES - 1, `${announced} are announced`);
    }, 60 * 60_000);

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
    // A few events in the short form: a single one that the machine delayed would be the p95.
    const isKept = ({ p95, median }: Percentiles) =>
      isLong() ? p95 <= limitOf(alone.p95) : median <= limitOf(alone.median);

    let during: Percentiles = { median: Infinity, p95: Infinity };
    for (const times of TIMES_LONGER) {
      const duringMs = DURING_MS * times;
      const { large, startAt } = await prepareAnnouncements(duringMs);
      await sleep(startAt - Date.now());
      during = await firstAttempts(measured, other, duringMs);
      const announced = await countOf('announced_at is not null', large.tenantId);
      await report({
        fault: `F23 ${QUOTES} quotes of another tenant are announced to expire within ${duringMs / 1_000} s, as fast as ${Math.round(SAME_END / times)} that expire at the same moment`,
        times: 1,
        kills: 0,
        invariants: 'first attempts of the other tenant: p95 ≤ max(3 × alone, alone + 500 ms)',
        result: `${textOf(during)} meanwhile, ${textOf(alone)} alone; ${announced} announced`,
        lost: isKept(during) ? 0 : 1,
        doubled: 0,
      });
      assert.ok(announced > QUOTES / 10, `${announced} were announced meanwhile`);
      await allAnnounced(large);
      if (isKept(during)) break;
    }

    assert.ok(isKept(during), `${textOf(during)} meanwhile, ${textOf(alone)} alone`);
  });
});
