import assert from 'node:assert/strict';
import { signals } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { type Business, makeQuote, type Quote, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';

/** More than a page. */
const QUOTES = 26;

describe(`settings change with ${QUOTES} SENT quotes to reschedule`, function () {
  this.timeout(600_000);
  let service: Installation;
  let business: Business;
  let quotes: readonly Quote[];

  before(async () => {
    service = await installation();
    business = await register(service);
    const made: Quote[] = [];
    for (let i = 0; i < QUOTES; i += 1) made.push(await makeQuote(service, business));
    quotes = made;
    for (const { id } of quotes) {
      const res = await service.http.patch(`/api/quotes/${id}/status`, { status: 'SENT' }, business.owner);
      assert.equal(res.status, 200);
    }
    await eventually(async () => assert.equal(await timedBy(3), QUOTES), 180_000);
  });

  /** Quotes whose reminder is timed by this setting. */
  async function timedBy(days: number): Promise<number> {
    const [row] = await service.rows(
      'select count(*)::int as n from expiry_reminders where tenant_id = $1 and reminder_days = $2',
      business.tenantId,
      days,
    );
    return Number(row?.['n']);
  }
  /** Changes the setting; returns the id of the event. */
  async function remindDaysBefore(days: number): Promise<string> {
    const body = { companyName: 'Muebles Roble', email: 'roble@dueno.test', reminderDaysBefore: days };
    const res = await service.http.request('PUT', '/api/settings', { body, headers: business.owner });
    assert.equal(res.status, 200, JSON.stringify(res.body));
    return String(await pending());
  }
  async function pending(): Promise<unknown> {
    const [tenant] = await service.rows('select reschedule_event_id from tenants where id = $1', business.tenantId);
    return tenant?.['reschedule_event_id'];
  }
  const untilFinished = () => eventually(async () => assert.equal(await pending(), null), 180_000);
  /** How often the quote's lifecycle was signalled of the event. */
  async function signalled({ workflowId }: Quote, eventId: string): Promise<number> {
    const { events } = await service.temporal.workflow.getHandle(workflowId).fetchHistory();
    return (events ?? []).filter(({ workflowExecutionSignaledEventAttributes: signal }) => {
      const text = Buffer.from(signal?.input?.payloads?.[0]?.data ?? []).toString();
      return signal?.signalName === signals.quoteEvents && text.includes(eventId);
    }).length;
  }

  it('signals each quote once', async () => {
    const eventId = await remindDaysBefore(5);

    await untilFinished();

    await eventually(async () => assert.equal(await timedBy(5), QUOTES), 60_000);
    for (const quote of quotes) assert.equal(await signalled(quote, eventId), 1);
    const run = service.temporal.workflow.getHandle(`resched.${eventId}`);
    assert.deepEqual(await run.result(), { outcome: 'done', signalled: QUOTES });
  });

  it('signals each quote when the worker is killed midway', async () => {
    const eventId = await remindDaysBefore(7);
    await eventually(async () => assert.ok((await timedBy(7)) >= 3, 'it has not begun'), 60_000);

    await service.processes.worker.kill();
    const before = await timedBy(7);
    await service.startWorker();

    assert.ok(before < QUOTES, 'nothing was left to do');
    await untilFinished();
    await eventually(async () => assert.equal(await timedBy(7), QUOTES), 60_000);
    for (const quote of quotes) assert.ok((await signalled(quote, eventId)) >= 1, quote.workflowId);
  });

  it("signals each quote when Temporal's store is lost midway: the reconciler starts the workflow again", async () => {
    const eventId = await remindDaysBefore(9);
    await eventually(async () => assert.ok((await timedBy(9)) >= 3, 'it has not begun'), 60_000);
    await service.processes.worker.kill();
    assert.equal(await pending(), eventId);

    await service.wipeTemporal();
    await service.startTemporal();
    await service.startWorker();

    await untilFinished();
    await eventually(async () => assert.equal(await timedBy(9), QUOTES), 60_000);
    const run = service.temporal.workflow.getHandle(`resched.${eventId}`);
    assert.deepEqual(await run.result(), { outcome: 'done', signalled: QUOTES });
  });
});
