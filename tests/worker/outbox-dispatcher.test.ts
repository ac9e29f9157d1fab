import assert from 'node:assert/strict';
import { Connection } from '@temporalio/client';
import { ensureTemporal } from '../../worker/ensure-temporal.ts';
import { createLog } from '../../adapters/log.ts';
import { clientOptions } from '../../adapters/temporal/connection.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import { freePort } from '../../dev/ports.ts';
import * as build from '../api/build.ts';
import { eventually } from '../eventually.ts';
import { type OwnProcess, startOwnProcess } from '../own-process.ts';
import { namespaceName, testStack } from '../stack.ts';
import { connect } from '../../db/database.ts';
import { outboxOf, dispatcher, rows, type RunningDispatcher, signalledTo, watchedQuote } from './dispatcher-world.ts';

describe('The outbox dispatcher', () => {
  let business: build.Business;
  const running: RunningDispatcher[] = [];

  async function begin(...options: Parameters<typeof dispatcher>): Promise<RunningDispatcher> {
    const started = await dispatcher(...options);
    running.push(started);
    return started;
  }

  before(async () => {
    business = await build.business();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
  });

  const untilDispatched = (quoteId: string) =>
    eventually(async () => {
      const events = await outboxOf(quoteId);
      assert.notEqual(events.length, 0);
      assert.deepEqual(
        events.filter(({ isDispatched }) => !isDispatched),
        [],
      );
      return events;
    });

  it('signals an event to its lifecycle once and marks it', async () => {
    const quote = await watchedQuote(business);
    const { temporal } = await begin();

    const events = await untilDispatched(quote.id);

    assert.deepEqual(
      await signalledTo(temporal, quote),
      events.map(({ id }) => id),
    );
    assert.deepEqual(
      events.map(({ failures }) => failures),
      [0],
    );
  });

  it('signals each event once when three dispatchers work side by side', async () => {
    const { id: clientId } = await build.client(business.owner);
    const quotes = await Promise.all(Array.from({ length: 24 }, () => watchedQuote(business, clientId)));
    const [{ temporal }] = await Promise.all([begin(), begin(), begin()]);

    for (const quote of quotes) {
      const events = await untilDispatched(quote.id);
      assert.deepEqual(
        await signalledTo(temporal, quote),
        events.map(({ id }) => id),
      );
    }
  });

  it('marks what happened to a client, which nothing waits for, and starts nothing', async () => {
    const other = await build.business();
    await build.client(other.owner);
    const { temporal } = await begin();

    await eventually(async () => {
      const events = await rows('select type, dispatched_at from outbox_events where tenant_id = $1', other.tenantId);
      const created = events.filter(({ type }) => type === 'client.created');
      assert.equal(created.length, 1);
      assert.notEqual(created[0]?.['dispatched_at'], null);
    });

    const { count } = await temporal.workflow.count(`TenantId = "${other.tenantId}"`);
    assert.equal(count, 0);
  });

  it('counts failures while Temporal is away, and dispatches when it is there', async () => {
    const quote = await watchedQuote(business);
    const away = await begin({ address: `127.0.0.1:${await freePort()}` });
    await eventually(async () => assert.equal((await outboxOf(quote.id))[0]?.failures, 2));
    assert.deepEqual(
      (await outboxOf(quote.id)).map(({ isDispatched }) => isDispatched),
      [false],
    );
    await away.stop();
    running.length = 0;

    const { temporal } = await begin();

    const [event] = await untilDispatched(quote.id);
    assert.deepEqual(await signalledTo(temporal, quote), [event?.id]);
  });

  it('polls events while deliveries wake it all the time', async () => {
    const quote = await watchedQuote(business);
    const { wakeForDeliveries } = await begin();
    await untilDispatched(quote.id);
    const waking = setInterval(wakeForDeliveries, 10);

    // Without a nudge.
    await rows('update outbox_events set dispatched_at = null, dispatch_after = now() where quote_id = $1', quote.id);

    await untilDispatched(quote.id).finally(() => clearInterval(waking));
  });

  describe('its nudge', () => {
    /**
     * The middle of seven waits between event and dispatch, in milliseconds, as PostgreSQL dated the two transactions. Each
     * event comes soon after the pass that dispatched the last one: the poll alone would make it nearly 1000.
     */
    async function usualDelay(): Promise<number> {
      const { id: clientId } = await build.client(business.owner);
      const delays: number[] = [];
      for (let i = 0; i < 7; i += 1) {
        const quote = await watchedQuote(business, clientId);
        await untilDispatched(quote.id);
        const [event] = await rows(
          'select extract(epoch from dispatched_at - created_at) * 1000 as ms from outbox_events where quote_id = $1',
          quote.id,
        );
        delays.push(Number(event?.['ms']));
      }
      return delays.toSorted((a, b) => a - b)[3] ?? Infinity;
    }

    it('is faster than its poll', async () => {
      await begin();

      const delay = await usualDelay();

      assert.ok(delay < 500, `${delay} ms`);
    });

    it('is heard again after the connection that listened was cut', async () => {
      await begin();
      const { DATABASE_DISPATCHER_URL: url } = readWorkerConfig((await testStack()).env);
      const knex = connect({ url, pool: 1, applicationName: 'cutter' });
      const listeners = "select pid from pg_stat_activity where query like 'listen %' and datname = current_database()";
      const pids = async () => (await knex.raw<{ rows: { pid: number }[] }>(listeners)).rows.map(({ pid }) => pid);
      const [first] = await eventually(async () => {
        const found = await pids();
        assert.equal(found.length, 1);
        return found;
      });
      await knex.raw('select pg_terminate_backend(?)', [first ?? 0]);
      // One again, and not more: each would be a connection that nobody closes.
      await eventually(async () => {
        const found = await pids();
        assert.equal(found.length, 1);
        assert.notEqual(found[0], first);
      });

      const delay = await usualDelay();

      assert.ok(delay < 500, `${delay} ms`);
      assert.equal((await pids()).length, 1);
      await knex.destroy();
    });
  });

  describe('with a worker', () => {
    let namespace: string;
    let worker: OwnProcess;
    let env: Record<string, string>;

    // In a namespace of its own, where nothing waits for a worker that other tests left to none.
    before(async () => {
      namespace = await namespaceName('dispatcher');
      env = { ...(await testStack()).env, TEMPORAL_NAMESPACE: namespace };
      const connection = Connection.lazy(clientOptions(readWorkerConfig(env)));
      const log = createLog({ level: 'silent', name: 'dispatcher' });
      await eventually(() => ensureTemporal({ connection, namespace, log }));
      await connection.close();
    });
    after(() => worker?.stop());

    it('killed between dispatch and mark: the event is signalled again, and the lifecycle takes it once', async () => {
      const quote = await watchedQuote(business);
      const child = await startOwnProcess('tests/worker/dying-dispatcher.ts', env, { waitFor: 'exit' });
      assert.equal(child.exitCode(), null, child.output());
      const [event] = await outboxOf(quote.id);
      assert.equal(event?.isDispatched, false);

      const { temporal } = await begin({ namespace });
      await untilDispatched(quote.id);
      assert.deepEqual(await signalledTo(temporal, quote), [event?.id, event?.id]);

      worker = await startOwnProcess('worker/main.ts', env);
      const handle = temporal.workflow.getHandle(quote.workflowId);
      // A query that finds no worker yet takes ten seconds to say so.
      await eventually(async () => assert.notEqual(await handle.query('currentState'), undefined));
      const looks = async () =>
        (await handle.fetchHistory()).events?.filter(({ markerRecordedEventAttributes: marker }) => marker).length;
      const before = await looks();
      await rows('update outbox_events set dispatched_at = null where quote_id = $1', quote.id);
      await untilDispatched(quote.id);
      await handle.query('currentState');

      assert.equal((await signalledTo(temporal, quote)).length, 3);
      assert.equal(await looks(), before);
    });
  });
});
