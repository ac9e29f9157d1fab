import assert from 'node:assert/strict';
import { Client as TemporalClient, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { createRescheduleActivities, type RescheduledPage } from '../../activities/reschedule.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import { createLog } from '../../adapters/log.ts';
import { clientOptions } from '../../adapters/temporal/connection.ts';
import { Tenant } from '../../db/models/tenant.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { closeAfterTests, testStack } from '../stack.ts';
import { manySentQuotes, rows, signalledTo } from '../worker/dispatcher-world.ts';

describe('A page of quotes that a settings change concerns', function rescheduling() {
  this.timeout(60_000);

  async function world(stopping?: AbortSignal, interceptors: WorkflowClientInterceptor[] = []) {
    const { deps } = await service();
    const config = readWorkerConfig((await testStack()).env);
    const connection = Connection.lazy(clientOptions(config));
    closeAfterTests(() => connection.close());
    const temporal = new TemporalClient({
      connection,
      namespace: config.TEMPORAL_NAMESPACE,
      interceptors: { workflow: interceptors },
    });
    const log = createLog({ level: 'silent', name: 'reschedule' });
    return { temporal, steps: createRescheduleActivities({ withTenant: deps.withTenant, temporal, log, stopping }) };
  }

  /** A business with so many SENT quotes that has changed its settings, and the id of that change. */
  async function changed(count: number) {
    const business = await build.business();
    const quotes = await manySentQuotes(business, count);
    const eventId = await changeSettings(business, 5);
    return { business, quotes, eventId, tenantId: business.tenantId };
  }
  async function changeSettings({ owner, tenantId, email }: build.Business, reminderDaysBefore: number) {
    const app = await service();
    const body = { companyName: 'Acme', email, reminderDaysBefore };
    assert.equal((await app.request('PUT', '/api/settings', { body, headers: owner })).status, 200);
    const pending = await pendingOf(tenantId);
    assert.ok(pending, 'nothing is pending');
    return pending;
  }
  async function pendingOf(tenantId: string): Promise<string | null> {
    const { deps } = await service();
    const { rescheduleEventId } = await deps.withTenant(tenantId, (trx) =>
      Tenant.query(trx).findById(tenantId).throwIfNotFound(),
    );
    return rescheduleEventId;
  }

  it('has 20 quotes at most, signals each once, and says where the next page begins', async () => {
    const { steps, temporal } = await world();
    const { quotes, ...ref } = await changed(23);

    // A page is shorter than its limit when signals take long on a busy machine.
    const pages: RescheduledPage[] = [];
    for (let after = 0; ;) {
      const page = await steps.signalSentQuotes({ ...ref, after });
      pages.push(page);
      if (page.outcome !== 'more') break;
      const signalled = pages.reduce((sum, { signalled: some }) => sum + some, 0);
      assert.equal(page.after, quotes[signalled - 1]?.quoteNumber);
      assert.equal(await pendingOf(ref.tenantId), ref.eventId);
      ({ after } = page);
    }

    const counts = pages.map(({ signalled }) => signalled);
    assert.equal(
      counts.reduce((sum, some) => sum + some, 0),
      23,
    );
    assert.ok(counts.length >= 2 && Math.max(...counts) <= 20, String(counts));
    assert.equal(pages.at(-1)?.outcome, 'done');
    for (const quote of quotes) assert.deepEqual(await signalledTo(temporal, quote), [ref.eventId]);
  });

  it('has one signal in flight, and a pause after each', async () => {
    const calls: { readonly from: number; to: number }[] = [];
    const { steps } = await world(undefined, [
      {
        async signalWithStart(input, next) {
          const call = { from: performance.now(), to: Infinity };
          calls.push(call);
          const result = await next(input);
          call.to = performance.now();
          return result;
        },
      },
    ]);
    const { quotes: _quotes, ...ref } = await changed(4);

    await steps.signalSentQuotes({ ...ref, after: 0 });

    const pauses = calls.slice(1).map(({ from }, i) => Math.round(from - (calls[i]?.to ?? Infinity)));
    assert.equal(pauses.length, 3);
    // Timers of Node may be a millisecond early.
    assert.ok(Math.min(...pauses) >= 99, String(pauses));
  });

  it('leaves out quotes that are not SENT or have expired, and those of other tenants', async () => {
    const { steps, temporal } = await world();
    const other = await changed(1);
    const { quotes, ...ref } = await changed(3);
    const [sent, generated, expired] = quotes;
    await rows("update quotes set status = 'GENERATED' where id = $1", generated?.id);
    await rows("update quotes set expires_at = now() - interval '1 second' where id = $1", expired?.id);

    assert.deepEqual(await steps.signalSentQuotes({ ...ref, after: 0 }), { outcome: 'done', signalled: 1 });

    const eventsSignalledTo = async (quote: (typeof quotes)[number] | undefined) =>
      quote ? signalledTo(temporal, quote).catch(() => 'no run') : [];
    assert.deepEqual(await eventsSignalledTo(sent), [ref.eventId]);
    assert.deepEqual(
      [await eventsSignalledTo(generated), await eventsSignalledTo(expired), await eventsSignalledTo(other.quotes[0])],
      ['no run', 'no run', 'no run'],
    );
  });

  it('the last one records that the change has reached all quotes, and leaves the moment of the change', async () => {
    const { steps } = await world();
    const { quotes: _quotes, ...ref } = await changed(1);
    const [before] = await rows('select updated_at from tenants where id = $1', ref.tenantId);

    await steps.signalSentQuotes({ ...ref, after: 0 });

    assert.equal(await pendingOf(ref.tenantId), null);
    const [after] = await rows('select updated_at from tenants where id = $1', ref.tenantId);
    assert.deepEqual(after, before);
  });

  it('signals nothing once a later settings change is pending, and leaves that one pending', async () => {
    const { steps, temporal } = await world();
    const { quotes, business, ...ref } = await changed(2);
    const later = await changeSettings(business, 6);

    const page = await steps.signalSentQuotes({ ...ref, after: 0 });

    assert.deepEqual(page, { outcome: 'superseded', signalled: 0 });
    assert.equal(await pendingOf(ref.tenantId), later);
    for (const quote of quotes) await assert.rejects(signalledTo(temporal, quote));
  });

  it('is throttled while the same worker has a page of another tenant under way', async () => {
    const { steps, temporal } = await world();
    const [{ quotes, ...ref }, other] = [await changed(3), await changed(1)];
    const first = steps.signalSentQuotes({ ...ref, after: 0 });

    await assert.rejects(
      steps.signalSentQuotes({ tenantId: other.tenantId, eventId: other.eventId, after: 0 }),
      (error) => error instanceof ApplicationFailure && error.type === 'Throttled' && !error.nonRetryable,
    );

    assert.deepEqual(await first, { outcome: 'done', signalled: 3 });
    assert.deepEqual(await steps.signalSentQuotes({ tenantId: other.tenantId, eventId: other.eventId, after: 0 }), {
      outcome: 'done',
      signalled: 1,
    });
    for (const quote of quotes) assert.deepEqual(await signalledTo(temporal, quote), [ref.eventId]);
  });

  it('a page ends early when the process stops, and the next page continues there', async () => {
    const stopping = new AbortController();
    const { steps } = await world(stopping.signal);
    const { quotes, ...ref } = await changed(5);
    const [first] = quotes;
    const page = steps.signalSentQuotes({ ...ref, after: 0 });
    const { temporal, steps: elsewhere } = await world();
    await eventually(async () => void (await signalledTo(temporal, first ?? { id: '', workflowId: 'none' })));

    stopping.abort();
    const ended = await page;

    assert.equal(ended.outcome, 'more');
    assert.ok(ended.signalled > 0 && ended.signalled < 5, String(ended.signalled));
    const rest = await elsewhere.signalSentQuotes({ ...ref, after: quotes[ended.signalled - 1]?.quoteNumber ?? 0 });
    assert.deepEqual(rest, { outcome: 'done', signalled: 5 - ended.signalled });
  });
});
