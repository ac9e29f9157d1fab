import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import type { ExpiryActivities } from '../../activities/expiry.ts';
import { newId } from '../../db/ids.ts';
import { expiryStart, queries, signals, type UpcomingTimer } from '../../workflows/contract.ts';
import type { expiryReminder } from '../../workflows/expiry-reminder.ts';
import { eventually } from '../eventually.ts';
import './quiet.ts';
import { type SkippingWorld, skippingWorld } from './skipping.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A quote as PostgreSQL would have it, and the effects on it. */
interface StubQuote {
  status: 'SENT' | 'WON';
  version: number;
  expiresAt: number;
  reminderDays: number;
  /** Versions with a reminder and an announcement. */
  readonly reminded: Set<number>;
  readonly announced: Set<number>;
  /** The end that was announced. */
  expired: number | undefined;
  mailWaits: boolean;
  looks: number;
  readonly done: { readonly what: string; readonly version: number; readonly at: number }[];
  mail: () => Promise<{ mailed: boolean }>;
}

describe('expiryReminder', () => {
  let world: SkippingWorld;
  const quotes = new Map<string, StubQuote>();

  before(async () => {
    world = await skippingWorld(activities());
  });
  after(() => world.stop());

  function activities(): ExpiryActivities {
    const of = (quoteId: string): StubQuote => {
      const quote = quotes.get(quoteId);
      assert.ok(quote);
      return quote;
    };
    const note = async (quote: StubQuote, what: string, version: number) =>
      void quote.done.push({ what, version, at: await world.env.currentTimeMs() });
    const iso = (ms: number) => new Date(ms).toISOString();
    return {
      planExpiry: async ({ quoteId }) => {
        const quote = of(quoteId);
        quote.looks += 1;
        const { status, version, expiresAt, reminderDays, mailWaits } = quote;
        if (status !== 'SENT' || quote.expired === expiresAt) return undefined;
        const isOver = expiresAt <= (await world.env.currentTimeMs());
        return {
          quoteNumber: 12,
          version,
          expiresAt: iso(expiresAt),
          remindAt: isOver || quote.reminded.has(version) ? null : iso(expiresAt - reminderDays * DAY_MS),
          mailWaits,
          expiringAt: isOver || quote.announced.has(version) ? null : iso(expiresAt - DAY_MS),
          expiredAt: iso(expiresAt),
        };
      },
      takeReminder: async ({ quoteId, version, at }) => {
        const quote = of(quoteId);
        const isRight = at === iso(quote.expiresAt - quote.reminderDays * DAY_MS);
        if (quote.status !== 'SENT' || quote.version !== version || quote.reminded.has(version) || !isRight) return;
        quote.reminded.add(version);
        quote.mailWaits = true;
        await note(quote, 'reminder', version);
      },
      sendExpiryMail: async ({ quoteId }) => of(quoteId).mail(),
      closeExpiryMail: async ({ quoteId, version, mail }) => {
        of(quoteId).mailWaits = false;
        await note(of(quoteId), `mail ${mail}`, version);
      },
      announceExpired: async ({ quoteId, version, at }) => {
        const quote = of(quoteId);
        if (quote.status !== 'SENT' || at !== iso(quote.expiresAt) || quote.expired === quote.expiresAt) return;
        quote.expired = quote.expiresAt;
        await note(quote, 'expired', version);
      },
      announceExpiring: async ({ quoteId, version }) => {
        const quote = of(quoteId);
        if (quote.status !== 'SENT' || quote.version !== version || quote.announced.has(version)) return;
        quote.announced.add(version);
        await note(quote, 'expiring', version);
      },
    };
  }

  async function start({ days, ...fields }: Partial<StubQuote> & { days: number }) {
    const quoteId = newId();
    const quote: StubQuote = {
      status: 'SENT',
      version: 1,
      expiresAt: (await world.env.currentTimeMs()) + days * DAY_MS,
      reminderDays: 3,
      reminded: new Set(),
      announced: new Set(),
      expired: undefined,
      mailWaits: false,
      looks: 0,
      done: [],
      mail: async () => ({ mailed: true }),
      ...fields,
    };
    quotes.set(quoteId, quote);
    const options = expiryStart(
      { tenantId: newId(), quoteId },
      { workflowId: `expiry.${newId()}.COT-12`, quoteNumber: 12 },
    );
    const handle = await world.env.client.workflow.start<typeof expiryReminder>('expiryReminder', options);
    // The first execution also waits for the worker.
    await eventually(() => assert.ok(quote.looks > 0, 'it does not look'));
    return { quote, handle };
  }

  const whats = ({ done }: StubQuote) => done.map(({ what }) => what);

  /** The time of each effect, in days before the end. */
  const assertOnTime = ({ done }: StubQuote, expiresAt: number, daysBefore: Readonly<Record<string, number>>) => {
    for (const { what, at } of done) {
      const late = at - (expiresAt - (daysBefore[what] ?? 0) * DAY_MS);
      assert.ok(late >= 0 && late < 5_000, `${what} was ${late} ms late`);
    }
  };

  it('reminds the client of a quote of 20 days three days before its end, and announces the expiry one day before and at the end', async () => {
    const { quote, handle } = await start({ days: 20 });
    // The workflow reads the record first; until then it has no timers.
    await eventually(async () => {
      const timers = await handle.query<UpcomingTimer[]>(queries.upcomingTimers);
      const names = timers.map(({ name }) => name);
      assert.deepEqual(names, [
        'Recordatorio al cliente',
        'Aviso de que faltan 24 horas para que venza',
        'Aviso de que venció',
      ]);
    });

    assert.deepEqual(await handle.result(), { outcome: 'over' });

    assert.deepEqual(whats(quote), ['reminder', 'mail SENT', 'expiring', 'expired']);
    assertOnTime(quote, quote.expiresAt, { reminder: 3, 'mail SENT': 3, expiring: 1 });
  });

  it('does both one day before the end, the reminder first, when the setting is one day', async () => {
    const { quote, handle } = await start({ days: 20, reminderDays: 1 });

    await handle.result();

    assert.deepEqual(whats(quote), ['reminder', 'mail SENT', 'expiring', 'expired']);
    assertOnTime(quote, quote.expiresAt, { reminder: 1, 'mail SENT': 1, expiring: 1 });
  });

  it('announces the expiry immediately when less than a day is left', async () => {
    const { quote, handle } = await start({ days: 0.5, reminded: new Set([1]) });

    await handle.result();

    assert.deepEqual(whats(quote), ['expiring', 'expired']);
    assertOnTime(quote, quote.expiresAt, { expiring: 0.5 });
  });

  it('moves both on a signal of another expiry', async () => {
    const { quote, handle } = await start({ days: 20 });
    await world.env.sleep('5 days');
    quote.expiresAt += 10 * DAY_MS;

    await handle.signal(signals.reschedule);
    await handle.result();

    assert.deepEqual(whats(quote), ['reminder', 'mail SENT', 'expiring', 'expired']);
    assertOnTime(quote, quote.expiresAt, { reminder: 3, 'mail SENT': 3, expiring: 1 });
  });

  it('moves the reminder on a signal of another setting', async () => {
    const { quote, handle } = await start({ days: 20 });
    quote.reminderDays = 10;

    await handle.signal(signals.reschedule);
    await handle.result();

    assertOnTime(quote, quote.expiresAt, { reminder: 10, 'mail SENT': 10, expiring: 1 });
  });

  it('reminds again for a new version, and not twice for the same', async () => {
    const { quote, handle } = await start({ days: 20 });
    await world.env.sleep('18 days');
    await eventually(() => assert.deepEqual(whats(quote), ['reminder', 'mail SENT']));
    await handle.signal(signals.reschedule);
    await eventually(() => assert.ok(quote.looks > 3, 'it looks no more'));
    quote.version = 2;
    quote.expiresAt += 20 * DAY_MS;

    await handle.signal(signals.reschedule);
    await handle.result();

    assert.deepEqual(
      quote.done.map(({ what, version }) => `${version} ${what}`),
      ['1 reminder', '1 mail SENT', '2 reminder', '2 mail SENT', '2 expiring', '2 expired'],
    );
  });

  it('ends without either when a signal tells that the quote is final', async () => {
    const { quote, handle } = await start({ days: 20 });
    quote.status = 'WON';

    await handle.signal(signals.reschedule);

    assert.deepEqual(await handle.result(), { outcome: 'over' });
    assert.deepEqual(quote.done, []);
  });

  it('does nothing when its timer fires for a quote that became final without a signal', async () => {
    const { quote, handle } = await start({ days: 20 });
    quote.status = 'WON';

    assert.deepEqual(await handle.result(), { outcome: 'over' });
    assert.deepEqual(quote.done, []);
  });

  it('records a refused mail, and still announces the expiry a day before the end', async () => {
    let attempts = 0;
    const { quote, handle } = await start({
      days: 20,
      mail: async () => {
        attempts += 1;
        throw ApplicationFailure.nonRetryable('no such mailbox', 'SmtpRefused');
      },
    });

    assert.deepEqual(await handle.result(), { outcome: 'over' });

    assert.equal(attempts, 1);
    assert.deepEqual(whats(quote), ['reminder', 'mail FAILED', 'expiring', 'expired']);
  });

  it('announces the end immediately when the quote expired while no execution waited', async () => {
    const { quote, handle } = await start({ days: -2 });

    assert.deepEqual(await handle.result(), { outcome: 'over' });

    assert.deepEqual(whats(quote), ['expired']);
  });

  it('announces neither the former end nor an end after the answer', async () => {
    const { quote, handle } = await start({ days: 20 });
    const former = quote.expiresAt;
    quote.expiresAt += 5 * DAY_MS;
    await handle.signal(signals.reschedule);
    await eventually(() => assert.ok(quote.looks > 1, 'it looks no more'));
    await world.env.sleep('21 days');
    quote.status = 'WON';

    await handle.result();

    assert.ok((await world.env.currentTimeMs()) > former);
    assert.ok(!whats(quote).includes('expired'));
  });

  it('sends the mail of a reminder that an earlier execution had claimed', async () => {
    const { quote, handle } = await start({ days: 2, reminded: new Set([1]), mailWaits: true });

    await handle.result();

    assert.deepEqual(whats(quote), ['mail SENT', 'expiring', 'expired']);
  });
});
