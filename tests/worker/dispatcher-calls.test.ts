import assert from 'node:assert/strict';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { recordEvent } from '../../db/writes/record-event.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { SAMPLE_QUOTE } from '../../domain/event-samples.ts';
import { quotePayload } from '../../domain/events.ts';
import { eventually } from '../eventually.ts';
import {
  manySentQuotes,
  outboxOf,
  dispatcher,
  rows,
  type RunningDispatcher,
  watchedQuote,
} from './dispatcher-world.ts';

const SENT_QUOTES = 1_500;

/** What the dispatcher does with Temporal while it takes events to it. */
describe('The outbox dispatcher calls Temporal', function calling() {
  this.timeout(120_000);
  const running: RunningDispatcher[] = [];
  /** Workflow ids, in the order in which the dispatcher called for them. */
  let calls: string[] = [];
  /** What each call waits for before it is made. */
  let beforeCall: (workflowId: string) => Promise<void> = async () => undefined;

  const seen: WorkflowClientInterceptor = {
    async signalWithStart(input, next) {
      calls.push(input.options.workflowId);
      await beforeCall(input.options.workflowId);
      return next(input);
    },
    async startWithDetails(input, next) {
      calls.push(input.options.workflowId);
      await beforeCall(input.options.workflowId);
      return next(input);
    },
  };
  const begin = async () => {
    const started = await dispatcher({ interceptors: [seen] });
    running.push(started);
    return started;
  };

  beforeEach(() => {
    calls = [];
    beforeCall = async () => undefined;
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
  });

  async function remindDaysBefore(days: number, { tenantId, owner, email }: build.Business): Promise<string> {
    const app = await service();
    const body = { companyName: 'Acme', email, reminderDaysBefore: days };
    assert.equal((await app.request('PUT', '/api/settings', { body, headers: owner })).status, 200);
    const [event] = await rows(
      `select id from outbox_events where tenant_id = $1 and type = 'tenant.settings_changed' order by sequence desc limit 1`,
      tenantId,
    );
    return String(event?.['id']);
  }
  const isDispatched = (eventId: string) =>
    eventually(async () => {
      const [event] = await rows('select dispatched_at from outbox_events where id = $1', eventId);
      assert.notEqual(event?.['dispatched_at'], null);
    }, 40_000);

  it(`once for a settings change that concerns ${SENT_QUOTES} SENT quotes, and dispatches another tenant's event behind it promptly`, async () => {
    const [large, other] = [await build.business(), await build.business()];
    await manySentQuotes(large, SENT_QUOTES);
    const before = await watchedQuote(other);
    const { temporal } = await begin();
    await eventually(async () =>
      assert.ok(
        (await outboxOf(before.id)).every((event) => event.isDispatched),
        'it waits',
      ),
    );
    calls = [];

    const eventId = await remindDaysBefore(5, large);
    const quote = await watchedQuote(other);
    await isDispatched(eventId);
    await eventually(async () =>
      assert.ok(
        (await outboxOf(quote.id)).every((event) => event.isDispatched),
        'it waits',
      ),
    );

    // By the order of calls rather than by a clock: nothing of the 1 500 came before the other tenant's event.
    // Runs of automations are what other test files left waiting: tenants are served in turn.
    const ofEvents = calls.filter((id) => !id.startsWith('auto.'));
    assert.deepEqual(ofEvents.toSorted(), [`resched.${eventId}`, quote.workflowId].toSorted());
    const { type } = await temporal.workflow.getHandle(`resched.${eventId}`).describe();
    assert.equal(type, 'rescheduleReminders');
  });

  for (const timeZone of ['America/Tijuana', 'Africa/Cairo', 'Pacific/Kiritimati']) {
    it(`when the time zone becomes ${timeZone}, since reminders go out in the morning there`, async () => {
      const business = await build.business();
      await watchedQuote(business);
      const app = await service();
      await app.request('PUT', '/api/settings', { body: { timeZone }, headers: business.owner });
      await begin();

      const [event] = await rows(
        "select id from outbox_events where tenant_id = $1 and type = 'tenant.settings_changed'",
        business.tenantId,
      );
      await isDispatched(String(event?.['id']));

      assert.ok(calls.includes(`resched.${String(event?.['id'])}`));
    });
  }

  it('for no lifecycle when a quote is announced to expire: thousands may be at the same moment', async () => {
    const business = await build.business();
    const quote = await watchedQuote(business);
    await begin();
    await eventually(
      async () =>
        assert.ok(
          (await outboxOf(quote.id)).every((event) => event.isDispatched),
          'it waits',
        ),
      40_000,
    );
    calls = [];
    const { deps } = await service();

    await deps.withTenant(business.tenantId, (trx) =>
      recordEvent(trx, {
        type: 'quote.expiring',
        quoteId: quote.id,
        data: { quote: quotePayload(SAMPLE_QUOTE) },
        requestId: null,
      }),
    );
    await eventually(async () => {
      const events = await outboxOf(quote.id);
      assert.deepEqual([events.length, events.every((event) => event.isDispatched)], [2, true]);
    }, 40_000);

    assert.ok(!calls.includes(quote.workflowId));
  });

  it('not at all for a settings change that moves no reminder', async () => {
    const business = await build.business();
    await watchedQuote(business);
    const app = await service();
    const body = { companyName: 'Otro nombre', email: business.email };
    await app.request('PUT', '/api/settings', { body, headers: business.owner });
    await begin();

    const [event] = await rows(
      "select id from outbox_events where tenant_id = $1 and type = 'tenant.settings_changed'",
      business.tenantId,
    );
    await isDispatched(String(event?.['id']));

    assert.deepEqual(
      calls.filter((id) => id.startsWith('resched.')),
      [],
    );
  });

  it('without holding a lock: the rows of an event whose call hangs can be changed meanwhile', async () => {
    const business = await build.business();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    beforeCall = () => released;
    const quote = await watchedQuote(business);
    await begin();
    await eventually(() => assert.ok(calls.includes(quote.workflowId), 'no call'));

    try {
      // Throws where a transaction holds the row.
      const [event] = await rows(
        'select dispatched_at, dispatch_after > now() as leased from outbox_events where quote_id = $1 for update nowait',
        quote.id,
      );
      assert.deepEqual(event, { dispatched_at: null, leased: true });
    } finally {
      release();
    }
    await eventually(async () =>
      assert.ok(
        (await outboxOf(quote.id)).every((one) => one.isDispatched),
        'it waits',
      ),
    );
  });

  it('once for an event while three dispatchers work side by side and the call takes longer than their polls', async () => {
    const business = await build.business();
    beforeCall = async () => void (await new Promise((resolve) => setTimeout(resolve, 3_000)));
    const quote = await watchedQuote(business);

    await Promise.all([begin(), begin(), begin()]);
    await eventually(async () =>
      assert.ok(
        (await outboxOf(quote.id)).every((one) => one.isDispatched),
        'it waits',
      ),
    );

    assert.deepEqual(
      calls.filter((id) => id === quote.workflowId),
      [quote.workflowId],
    );
  });
});
