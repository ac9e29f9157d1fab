import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { command } from '../ops/commands.ts';
import { receiver, type Receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { type Business, mailsTo, makeQuote, type Quote, register, shareOnce, statusOf } from '../journey/business.ts';
import { install, type Installation } from '../installation.ts';
import { isLong, report } from './report.ts';
import { DELAY_MINUTES, waitingWork, type WaitingWork } from './waiting-work.ts';

/** Quotes of the first test: five deliveries and one delayed run wait for each. */
const QUOTES = Number(process.env['WIPE_QUOTES'] ?? (isLong() ? 100 : 12));
/** Milliseconds until all executions must exist again. */
const ALL_BACK_MS = 120_000;
/** The rest of one delay when Temporal is back. */
const REST_S = isLong() ? 60 : 30;

describe("after the loss of Temporal's store", function () {
  this.timeout(600_000);
  let service: Installation;
  let endpoint: Receiver;
  let works = false;

  before(async () => {
    // A separate namespace, which a new store does not have.
    service = await install({
      settings: {
        TEMPORAL_NAMESPACE: 'cotizador',
        WEBHOOK_RETRY_SECONDS: '3600,3600,3600',
        WEBHOOK_PROBE_SECONDS: '10',
      },
    });
    endpoint = await receiver((res) => res.writeHead(works ? 200 : 500).end());
  });
  after(async () => {
    await service.remove();
    await endpoint[Symbol.asyncDispose]();
  });

  const reconcileNow = async (): Promise<Record<string, number>> => {
    const { code, out, complaint } = await command(service.env, 'reconcile');
    assert.equal(code, 0, complaint);
    return JSON.parse(out) as Record<string, number>; // as the command prints it
  };
  const NOTHING = {
    sendMail: 0,
    importRecords: 0,
    deliverWebhook: 0,
    runAutomation: 0,
    remind: 0,
    quoteLifecycle: 0,
    expiryReminder: 0,
    rescheduleReminders: 0,
  };

  /** Instead of waiting for hours: all that waits is due now, except one delay with some time left. */
  async function letTimePass({ tenantIds }: WaitingWork): Promise<{ waitsOn: string }> {
    await service.rows('update webhook_deliveries set due_at = now() where tenant_id = any ($1)', tenantIds);
    await service.rows('update reminders set due_at = now() where tenant_id = any ($1)', tenantIds);
    await service.rows(
      `update automation_logs set triggered_at = now() - make_interval(mins => ${DELAY_MINUTES})
        where tenant_id = any ($1) and status = 'TRIGGERED'`,
      tenantIds,
    );
    const [log] = await service.rows(
      `update automation_logs set triggered_at = triggered_at + interval '${REST_S} seconds'
        where id = (select min(id) from automation_logs where tenant_id = any ($1) and status = 'TRIGGERED')
        returning id`,
      tenantIds,
    );
    // The quotes of one business reach their reminder, those of the other the last 24 hours.
    await service.rows(
      "update expiry_reminders set remind_at = date_trunc('second', now()) where tenant_id = $1",
      tenantIds[0],
    );
    await service.rows(
      "update quotes set expires_at = date_trunc('second', now()) + interval '23 hours' where tenant_id = $1 and status = 'SENT'",
      tenantIds[1],
    );
    return { waitsOn: String(log?.['id']) };
  }

  /**
   * The worker runs on: a call that it began before the wipe would overwrite the time of the next attempt that is set
   * here.
   */
  async function assertNoneUnderWay({ tenantIds }: WaitingWork): Promise<void> {
    const sql = 'select id from webhook_attempts where tenant_id = any ($1) and finished_at is null';
    assert.deepEqual(await service.rows(sql, tenantIds), []);
  }

  const count = async (sql: string, ...values: readonly unknown[]) =>
    Object.fromEntries((await service.rows(sql, ...values)).map(({ name, n }) => [String(name), Number(n)]));

  async function assertAllDone({ tenantIds, deliveries, quotes, sent }: WaitingWork): Promise<void> {
    const by = (table: string, column: string) =>
      count(`select ${column} as name, count(*) as n from ${table} where tenant_id = any ($1) group by 1`, tenantIds);
    assert.deepEqual(await by('webhook_deliveries', 'status'), { DELIVERED: deliveries });
    assert.deepEqual(await by('automation_logs', "concat_ws(' ', status, error)"), { COMPLETED: quotes + sent });
    assert.deepEqual(await by('reminders', 'status'), { FIRED: sent });
    const [reminded, announced] = [sent / 2, sent / 2];
    assert.deepEqual(await by('expiry_reminders', "coalesce(mail, 'none') || (announced_at is not null)"), {
      SENTfalse: reminded,
      nonetrue: announced,
    });
    assert.deepEqual(await by('notifications', 'type'), {
      automation: quotes,
      reminder: sent,
      quote_expiring: reminded + announced,
    });
  }

  /**
   * Milliseconds until the new store has as many executions as were lost with the old one. Deliveries are left out: most
   * of them wait in PostgreSQL.
   */
  async function untilAllRun({ quotes, sent }: WaitingWork): Promise<number> {
    const startedAt = performance.now();
    const wanted = quotes + quotes + sent + sent;
    await eventually(async () => {
      const query = `WorkflowType in ('runAutomation', 'quoteLifecycle', 'remind', 'expiryReminder')`;
      const { count: there } = await service.temporal.workflow.count(query);
      assert.ok(there >= wanted, `${there} of ${wanted} runs are there`);
    }, 300_000);
    return performance.now() - startedAt;
  }

  it(`all ${QUOTES * 5} waiting deliveries and ${QUOTES} delays finish, nothing lost and nothing twice`, async () => {
    const work = await waitingWork(service, endpoint, QUOTES);
    const mailsBefore = (await service.parts.inbox.messages()).length;

    await service.wipeTemporal();
    await eventually(() => assertNoneUnderWay(work));
    const { waitsOn } = await letTimePass(work);
    works = true;
    const callsBefore = endpoint.calls.length;
    await service.startTemporal();
    const backMs = await untilAllRun(work);
    const startedAt = performance.now();
    await eventually(() => assertAllDone(work), 300_000);
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    await report({
      fault: `F7 Temporal's store wiped with ${QUOTES * 5} deliveries and ${QUOTES} delays waiting`,
      times: 1,
      kills: 1,
      invariants: 'I7, I9',
      result: `all executions started again after ${seconds(backMs)}, all done ${seconds(performance.now() - startedAt)} later`,
      lost: 0,
      doubled: 0,
    });

    assert.ok(backMs < ALL_BACK_MS, `it took ${seconds(backMs)} until all ran again`);
    const calls = endpoint.calls.slice(callsBefore);
    const delivered = calls.map(({ headers }) => headers['x-service-delivery']).filter(Boolean);
    assert.equal(delivered.length, work.deliveries);
    assert.equal(new Set(delivered).size, work.deliveries);
    const labelled = await service.rows('select 1 from quote_labels where tenant_id = any ($1)', work.tenantIds);
    assert.equal(labelled.length, work.quotes);
    assert.equal((await service.parts.inbox.messages()).length - mailsBefore, work.sent / 2);
    const [log] = await service.rows(
      `select extract(epoch from completed_at - triggered_at) - ${DELAY_MINUTES * 60} as late
         from automation_logs where id = $1`,
      waitsOn,
    );
    const late = Number(log?.['late']);
    assert.ok(late >= 0 && late < 120, `it ended ${late} s after its delay`);
    assert.deepEqual(await reconcileNow(), NOTHING);
  });

  describe('with a waiting quote', () => {
    let business: Business;
    let quote: Quote;

    before(async () => {
      business = await register(service);
      quote = await makeQuote(service, business);
      await service.http.patch(`/api/quotes/${quote.id}/status`, { status: 'SENT' }, business.owner);
    });

    const expiryRun = () => service.temporal.workflow.getHandle(quote.workflowId.replace('quote.', 'expiry.'));

    it('a lost expiry reminder alone is started again, and follows the quote as before', async () => {
      await eventually(async () => assert.equal((await expiryRun().describe()).status.name, 'RUNNING'), 30_000);
      const lost = await expiryRun().describe();
      await expiryRun().terminate('lost');

      const started = await eventually(async () => {
        const counts = await reconcileNow();
        assert.deepEqual(counts, { ...NOTHING, expiryReminder: 1 });
        return expiryRun().describe();
      }, 30_000);

      assert.notEqual(started.runId, lost.runId);
      assert.deepEqual(started.searchAttributes['QuoteId'], [quote.id]);
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      await service.http.patch(`/api/quotes/${quote.id}`, { expiresAt }, business.owner);
      await eventually(async () => {
        const [row] = await service.rows('select announced_at from expiry_reminders where quote_id = $1', quote.id);
        assert.ok(row?.['announced_at'] instanceof Date, 'not announced');
      }, 30_000);
      // It waits for the end, which it announces too.
      assert.equal((await expiryRun().describe()).status.name, 'RUNNING');
      assert.deepEqual(await reconcileNow(), NOTHING);
    });
  });

  describe('during a share', () => {
    const shareWith = ({ owner }: Business, quote: Quote, key: string) =>
      service.http.post(`/api/quotes/${quote.id}/share`, undefined, { ...owner, 'Idempotency-Key': key });

    /** Its update was accepted, so it is in the history of a store that will be lost. */
    async function assertUnderWay({ workflowId }: Quote): Promise<void> {
      const { events } = await service.temporal.workflow.getHandle(workflowId).fetchHistory();
      const accepted = events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes);
      assert.equal(accepted?.length, 1);
    }

    it('a share with two recipients, repeated with the same key or a new one, mails each once', async () => {
      const business = await register(service);
      const [keyed, plain] = [await makeQuote(service, business), await makeQuote(service, business)];
      const key = newId();
      const call = ({ id }: Quote, as: object = {}) =>
        service.http.post(
          `/api/quotes/${id}/share`,
          { to: [`uno@${id}.test`], cc: [`dos@${id}.test`], message: 'Hola' },
          { ...business.owner, ...as },
        );
      service.parts.inbox.setMode('hang');
      const pending = [call(keyed, { 'Idempotency-Key': key }), call(plain)];
      await eventually(() => Promise.all([keyed, plain].map(assertUnderWay)));

      await service.processes.worker.kill();
      await service.wipeTemporal();
      const answers = await Promise.all(pending);
      service.parts.inbox.setMode('accept');
      await service.startTemporal();
      await service.startWorker();

      for (const { status, body } of answers) assert.deepEqual([status, body.code], [503, 'share_pending']);
      for (const [quote, as] of [
        [keyed, { 'Idempotency-Key': key }],
        [plain, { 'Idempotency-Key': newId() }],
      ] as const) {
        await eventually(async () => {
          const { status, body } = await call(quote, as);
          assert.deepEqual([status, body], [200, { success: true, rejected: [] }]);
        }, 90_000);
        assert.equal(await statusOf(service, business, quote), 'SENT');
        const mails = (await service.parts.inbox.messages()).filter(({ to }) => to.includes(`uno@${quote.id}.test`));
        assert.deepEqual(mails.map(({ to }) => to), [[`uno@${quote.id}.test`, `dos@${quote.id}.test`]]); // prettier-ignore
      }
    });

    it('the caller gets share_pending, nothing was mailed, and a repetition mails once, with the same key or a new one', async () => {
      const business = await register(service);
      const [anew, again] = [await makeQuote(service, business), await makeQuote(service, business)];
      const key = newId();
      service.parts.inbox.setMode('hang');
      const pending = [shareOnce(service, business, anew), shareWith(business, again, key)];
      await eventually(() => Promise.all([anew, again].map(assertUnderWay)));

      await service.processes.worker.kill();
      await service.wipeTemporal();
      const answers = await Promise.all(pending);
      service.parts.inbox.setMode('accept');
      await service.startTemporal();
      await service.startWorker();

      for (const { status, body } of answers) assert.deepEqual([status, body.code], [503, 'share_pending']);
      for (const quote of [anew, again]) {
        assert.equal(await statusOf(service, business, quote), 'GENERATED');
        assert.deepEqual(await mailsTo(service, quote), []);
      }
      const untilSent = (ask: () => ReturnType<typeof shareWith>) =>
        eventually(async () => {
          const { status, body } = await ask();
          assert.equal(status, 200, JSON.stringify(body));
        }, 90_000);
      // One new key: a repetition with another one after a 503 may rightly mail again.
      const newKey = newId();
      await untilSent(() => shareWith(business, anew, newKey));
      await untilSent(() => shareWith(business, again, key));
      for (const quote of [anew, again]) {
        assert.equal(await statusOf(service, business, quote), 'SENT');
        assert.equal((await mailsTo(service, quote)).length, 1);
      }
    });
  });
});
