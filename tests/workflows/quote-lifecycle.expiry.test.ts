import assert from 'node:assert/strict';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { ExpirySchedule } from '../../activities/expiry.ts';
import { newId } from '../../db/ids.ts';
import { type LifecycleState, queries, type UpcomingTimer, workflowIds } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import './quiet.ts';
import { skippingEnvironment } from './skipping.ts';
import { LifecycleWorld, type StubQuote } from './lifecycle-world.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('quoteLifecycle with the expiry reminder', () => {
  let env: TestWorkflowEnvironment;
  let world: LifecycleWorld;
  let stopWorking: () => Promise<void>;

  before(async () => {
    env = await skippingEnvironment();
    world = new LifecycleWorld(env);
    stopWorking = await world.work();
  });
  after(async () => {
    await stopWorking();
    await env.teardown();
  });

  const scheduleOf = ({ version, expiresAt }: LifecycleState): ExpirySchedule => ({
    quoteNumber: 12,
    version,
    expiresAt,
    remindAt: null,
    mailWaits: false,
    expiringAt: new Date(Date.parse(expiresAt) - DAY_MS).toISOString(),
  });

  const change = (quote: StubQuote, columns: Partial<LifecycleState>) => {
    assert.ok(quote.record);
    quote.record = { ...quote.record, ...columns };
    quote.expirySchedule = quote.record.status === 'SENT' ? scheduleOf(quote.record) : undefined;
  };

  const reminder = ({ start }: StubQuote) => env.client.workflow.getHandle(workflowIds.expiry(start));
  const looks = (quote: StubQuote, times: number) => eventually(() => assert.equal(quote.expiryLooks, times));

  /** A SENT quote with a waiting reminder. */
  async function sent() {
    const quote = world.quote({ status: 'SENT' });
    change(quote, {});
    const handle = await world.tell(quote, newId());
    await looks(quote, 1);
    return { quote, handle };
  }

  it('starts the reminder when the quote is SENT, not before, under the tenant’s slug and the quote’s number', async () => {
    const quote = world.quote();
    const handle = await world.tell(quote, newId());
    await eventually(() => assert.deepEqual(quote.calls, ['readLifecycleState']));
    await handle.query(queries.currentState);
    await assert.rejects(reminder(quote).describe());

    change(quote, { status: 'SENT' });
    await world.tell(quote, newId());
    await looks(quote, 1);

    const { workflowId } = await reminder(quote).describe();
    assert.equal(workflowId, `expiry.${quote.start.tenantSlug}.COT-12`);
  });

  it('does not signal the reminder for events that change nothing of it', async () => {
    const { quote, handle } = await sent();

    await world.tell(quote, newId());
    await eventually(() => assert.equal(quote.calls.length, 2));
    await handle.query(queries.currentState);

    assert.equal(quote.expiryLooks, 1);
  });

  for (const [what, columns] of [
    ['a new version', { version: 2 }],
    ['another expiry', { expiresAt: new Date(Date.now() + 40 * DAY_MS).toISOString() }],
  ] as const) {
    it(`signals the reminder of ${what} while it waits`, async () => {
      const { quote } = await sent();
      const { runId } = await reminder(quote).describe();

      change(quote, columns);
      await world.tell(quote, newId());
      await looks(quote, 2);

      assert.equal((await reminder(quote).describe()).runId, runId);
    });
  }

  it('signals the reminder of an expiry that was past when the change was read, so that the end is announced', async () => {
    const { quote } = await sent();

    change(quote, { expiresAt: new Date((await env.currentTimeMs()) - 1_000).toISOString() });
    await world.tell(quote, newId());

    await looks(quote, 2);
  });

  it("signals the reminder when the business's settings changed", async () => {
    const { quote } = await sent();

    await world.tellOf('tenant.settings_changed', quote, newId());

    await looks(quote, 2);
  });

  it('starts the reminder again for a new version after it ended', async () => {
    const { quote } = await sent();
    const { runId } = await reminder(quote).describe();
    quote.expirySchedule = undefined;
    await reminder(quote).signal('reschedule');
    await eventually(async () => assert.equal((await reminder(quote).describe()).status.name, 'COMPLETED'));

    change(quote, { version: 2 });
    await world.tell(quote, newId());
    await looks(quote, 3);

    assert.notEqual((await reminder(quote).describe()).runId, runId);
  });

  it('ends with the reminder: both executions are closed once the quote is final', async () => {
    const { quote, handle } = await sent();

    change(quote, { status: 'WON' });
    await world.tell(quote, newId());

    await handle.result();
    await eventually(async () => assert.equal((await reminder(quote).describe()).status.name, 'COMPLETED'));
    assert.equal(quote.expiryLooks, 2);
  });

  it('starts no reminder for an expired quote', async () => {
    const quote = world.quote({ status: 'SENT', expiresAt: new Date(Date.now() - DAY_MS).toISOString() });
    change(quote, {});

    const handle = await world.tell(quote, newId());
    await eventually(() => assert.deepEqual(quote.calls, ['readLifecycleState']));
    await handle.query(queries.currentState);

    await assert.rejects(reminder(quote).describe());
  });

  it('lists the times of the reminder and its own end as upcoming timers', async () => {
    const quote = world.quote({ status: 'SENT' });
    const at = new Date(Date.now() + 12 * DAY_MS).toISOString();
    change(quote, { upcoming: [{ name: 'Recordatorio al cliente', at }] });
    const handle = await world.tell(quote, newId());
    await looks(quote, 1);

    const timers = await handle.query<UpcomingTimer[]>(queries.upcomingTimers);

    const end = new Date(Date.parse(quote.record?.expiresAt ?? '') + 30 * DAY_MS).toISOString();
    assert.deepEqual(timers, [
      { name: 'Recordatorio al cliente', at },
      { name: 'Fin de la vigencia y 30 días', at: end },
    ]);
  });
});
