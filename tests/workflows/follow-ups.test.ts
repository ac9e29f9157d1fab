import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import type { ExpiryActivities } from '../../activities/expiry.ts';
import type { FollowUpActivities } from '../../activities/follow-ups.ts';
import type { RecordActivities } from '../../activities/records.ts';
import { newId } from '../../db/ids.ts';
import { expiryMoments } from '../../domain/expiry.ts';
import { followUpTimes } from '../../domain/follow-ups.ts';
import { MOMENT_NAMES } from '../../domain/moment-names.ts';
import { dayOf, endOfDay, addDays } from '../../domain/zone.ts';
import { lifecycleStart, queries, signals, type UpcomingTimer, workflowIds } from '../../workflows/contract.ts';
import type { quoteLifecycle } from '../../workflows/quote-lifecycle.ts';
import { eventually } from '../eventually.ts';
import './quiet.ts';
import { type SkippingWorld, skippingWorld } from './skipping.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const timeZone = 'America/Mexico_City';

/** A quote as PostgreSQL would have it, with the times that the domain computes, and the mails to its client. */
interface StubQuote {
  status: 'SENT' | 'ACCEPTED';
  version: number;
  expiresAt: Date;
  sharedAt: Date;
  sharedVersion: number;
  followUpDays: readonly number[];
  readonly claimed: Set<string>;
  pending: string | null;
  /** When each end was announced. */
  readonly ends: { readonly expiresAt: Date; readonly at: Date }[];
  readonly mails: { readonly what: string; readonly at: Date }[];
  looks: number;
  send: () => Promise<{ mailed: boolean }>;
}

/** The life of a quote, in its lifecycle and the child that owns reminder and follow-ups. */
describe('Follow-ups, reminder and expiry in the life of a quote', () => {
  let world: SkippingWorld;
  const quotes = new Map<string, StubQuote>();

  before(async () => {
    world = await skippingWorld(activities());
  });
  after(() => world.stop());

  const now = async () => new Date(await world.env.currentTimeMs());
  const of = (quoteId: string): StubQuote => {
    const quote = quotes.get(quoteId);
    assert.ok(quote);
    return quote;
  };
  const timesOf = (quoteId: string) => {
    const { version, expiresAt, sharedAt, sharedVersion, followUpDays, claimed } = of(quoteId);
    const { remindAt, expiringAt } = expiryMoments({ quoteId, expiresAt, reminderDaysBefore: 3, timeZone });
    const times = followUpTimes({ sharedAt, followUpDays, timeZone, expiresAt, remindAt });
    const due = times.filter(({ day }) => sharedVersion === version && !claimed.has(`${version} day ${day}`));
    return { remindAt, expiringAt, due };
  };

  function activities(): Pick<RecordActivities, 'readLifecycleState'> & ExpiryActivities & FollowUpActivities {
    const mailed = async (quote: StubQuote, what: string) => {
      const result = await quote.send();
      quote.mails.push({ what, at: await now() });
      return result;
    };
    const claim = (quoteId: string, what: string) => {
      const quote = of(quoteId);
      if (quote.status !== 'SENT' || quote.claimed.has(what)) return;
      quote.claimed.add(what);
      quote.pending = what;
    };
    const close = async (quoteId: string) => {
      of(quoteId).pending = null;
    };
    return {
      readLifecycleState: async ({ quoteId }) => {
        const { status, version, expiresAt, sharedAt } = of(quoteId);
        const times = { expiresAt: expiresAt.toISOString(), sharedAt: sharedAt.toISOString() };
        return { quoteNumber: 12, status, version, ...times };
      },
      planExpiry: async ({ quoteId }) => {
        const quote = of(quoteId);
        const { status, version, expiresAt, claimed, pending, ends } = quote;
        if (status !== 'SENT' || ends.some((end) => end.expiresAt === expiresAt)) return undefined;
        const { remindAt, expiringAt, due } = timesOf(quoteId);
        quote.looks += 1;
        const end = {
          quoteNumber: 12,
          version,
          expiresAt: expiresAt.toISOString(),
          expiredAt: expiresAt.toISOString(),
        };
        if (expiresAt <= (await now())) return { ...end, remindAt: null, mailWaits: false, expiringAt: null };
        const day = pending?.startsWith('day') ? Number(pending.slice(4)) : null;
        return {
          ...end,
          remindAt: claimed.has('reminder') ? null : remindAt.toISOString(),
          mailWaits: pending === 'reminder',
          expiringAt: claimed.has('expiring') ? null : expiringAt.toISOString(),
          followUps: { due: due.map((one) => ({ day: one.day, at: one.at.toISOString() })), mailOf: day },
        };
      },
      takeReminder: async ({ quoteId }) => claim(quoteId, 'reminder'),
      sendExpiryMail: async ({ quoteId }) => mailed(of(quoteId), 'reminder'),
      closeExpiryMail: async ({ quoteId }) => close(quoteId),
      announceExpired: async ({ quoteId, at }) => {
        const { status, expiresAt, ends } = of(quoteId);
        if (status === 'SENT' && at === expiresAt.toISOString()) ends.push({ expiresAt, at: await now() });
      },
      announceExpiring: async ({ quoteId }) => void of(quoteId).claimed.add('expiring'),
      takeFollowUp: async ({ quoteId, version, day, at }) => {
        const isRight = timesOf(quoteId).due.some((one) => one.day === day && one.at.toISOString() === at);
        const quote = of(quoteId);
        if (quote.status !== 'SENT' || quote.version !== version || !isRight) return;
        quote.claimed.add(`${version} day ${day}`);
        quote.pending = `day ${day}`;
      },
      sendFollowUpMail: async ({ quoteId, day }) => mailed(of(quoteId), `day ${day}`),
      closeFollowUpMail: async ({ quoteId }) => close(quoteId),
    };
  }

  async function live(fields: Partial<StubQuote> = {}) {
    const sharedAt = await now();
    const day = (days: number) => addDays(dayOf(sharedAt, timeZone), days);
    const quote: StubQuote = {
      status: 'SENT',
      version: 1,
      expiresAt: endOfDay(day(30), timeZone),
      sharedAt,
      sharedVersion: 1,
      followUpDays: [3, 7, 20],
      claimed: new Set(),
      pending: null,
      ends: [],
      mails: [],
      looks: 0,
      send: async () => ({ mailed: true }),
      ...fields,
    };
    const start = {
      tenantId: newId(),
      quoteId: newId(),
      tenantSlug: newId(),
      quoteNumber: 12,
      status: 'SENT',
    } as const;
    quotes.set(start.quoteId, quote);
    const { client } = world.env;
    const handle = await client.workflow.start<typeof quoteLifecycle>('quoteLifecycle', lifecycleStart(start, null));
    await eventually(() => assert.ok(quote.looks > 0, 'its reminder does not look'));
    const child = client.workflow.getHandle(workflowIds.expiry(start));
    /** Has the lifecycle read the record, as the outbox does after a change. */
    const changed = async () => {
      const { looks } = quote;
      const events = [{ id: newId(), type: 'quote.revised' }];
      await handle.signal(signals.quoteEvents, { events });
      return { looks };
    };
    const seen = async ({ looks }: { looks: number }) =>
      eventually(() => assert.ok(quote.looks > looks, 'the change is not seen'));
    return { quote, handle, child, changed, seen, day };
  }

  /** Each mail as its day of the calendar, the time of day and what it was. */
  const shown = ({ mails, sharedAt }: StubQuote, from = sharedAt) =>
    mails.map(({ what, at }) => {
      const midnight = new Date(dayOf(at, timeZone));
      const days = Math.round((midnight.getTime() - new Date(dayOf(from, timeZone)).getTime()) / DAY_MS);
      const time = at.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
      return `${days} ${what === 'reminder' ? time.slice(0, 2) : time} ${what}`;
    });

  it('thirty days with a changed expiry: each mail is sent at its time, none on the day of the reminder, and the end is announced once', async () => {
    const { quote, child, changed, seen, day } = await live();
    await eventually(async () => {
      const timers = await child.query<readonly UpcomingTimer[]>(queries.upcomingTimers);
      assert.deepEqual(
        timers.map(({ name }) => name),
        [
          MOMENT_NAMES.followUp,
          MOMENT_NAMES.followUp,
          MOMENT_NAMES.followUp,
          MOMENT_NAMES.reminder,
          MOMENT_NAMES.expiring,
          MOMENT_NAMES.expired,
        ],
      );
    });

    await world.env.sleep('10 days');
    assert.deepEqual(shown(quote), ['3 10:00 day 3', '7 10:00 day 7']);
    // The reminder moves to the day of the last follow-up, which is then left out.
    quote.expiresAt = endOfDay(day(23), timeZone);
    await seen(await changed());

    assert.deepEqual(await child.result(), { outcome: 'over' });
    assert.deepEqual(shown(quote), ['3 10:00 day 3', '7 10:00 day 7', '20 09 reminder']);
    assert.ok(quote.claimed.has('expiring'));
    assert.equal(quote.ends.length, 1);
    const lateMs = Number(quote.ends[0]?.at) - quote.expiresAt.getTime();
    assert.ok(lateMs >= 0 && lateMs < 60_000, `the end was announced ${lateMs} ms late`);
  });

  it('a revision cancels follow-ups until it is shared, and then they count from that share', async () => {
    const { quote, child, changed, seen } = await live({ followUpDays: [3] });
    const { sharedAt } = quote;
    quote.version = 2;
    await seen(await changed());
    await world.env.sleep('6 days');
    assert.deepEqual(shown(quote), []);
    quote.sharedVersion = 2;
    quote.sharedAt = await now();

    await seen(await changed());
    await child.result();

    assert.deepEqual(shown(quote, sharedAt), ['9 10:00 day 3', '27 09 reminder']);
  });

  it('a share of the same version moves the follow-ups that are still due', async () => {
    const { quote, child, changed, seen } = await live({ followUpDays: [3] });
    await world.env.sleep('2 days');
    const { sharedAt } = quote;
    quote.sharedAt = await now();

    await seen(await changed());
    await child.result();

    assert.deepEqual(shown(quote, sharedAt), ['5 10:00 day 3', '27 09 reminder']);
  });

  it('a refused follow-up is given up, and the next one is sent', async () => {
    let attempts = 0;
    const { quote, child } = await live({
      followUpDays: [3, 7],
      send: async () => {
        attempts += 1;
        if (attempts === 1) throw ApplicationFailure.nonRetryable('no such mailbox', 'SmtpRefused');
        return { mailed: true };
      },
    });

    await child.result();

    assert.deepEqual(shown(quote), ['7 10:00 day 7', '27 09 reminder']);
    assert.equal(attempts, 3);
  });

  // The last one: after it the server skips no more time.
  it('both executions end when the client accepts on the fifth day, so nothing is sent after that', async () => {
    const { quote, changed, child, handle } = await live();
    await world.env.sleep('5 days');
    quote.status = 'ACCEPTED';

    await changed();

    await eventually(async () => {
      const both = await Promise.all([child.describe(), handle.describe()]);
      assert.deepEqual(
        both.map(({ status }) => status.name),
        ['COMPLETED', 'COMPLETED'],
      );
    });
    assert.deepEqual([shown(quote), quote.ends], [['3 10:00 day 3'], []]);
  });
});
