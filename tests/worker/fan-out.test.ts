import assert from 'node:assert/strict';
import { eventQuote, readFullQuote } from '../../db/reads/full-quote.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import type { EventType } from '../../domain/event-types.ts';
import { quotePayload } from '../../domain/events.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { dispatcher, rows, type RunningDispatcher } from './dispatcher-world.ts';

/** The effects of an event, in PostgreSQL and in Temporal. No worker runs: what is started stays. */
describe('Fan-out of events', () => {
  const running: RunningDispatcher[] = [];

  async function begin(): Promise<RunningDispatcher> {
    const started = await dispatcher();
    running.push(started);
    return started;
  }
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
  });

  async function webhook({ owner }: build.Business, events: readonly string[]): Promise<string> {
    const app = await service();
    const res = await app.post('/api/webhooks', { url: 'http://127.0.0.1:9/aviso', events }, owner);
    assert.equal(res.status, 201);
    return res.body.id as string;
  }

  async function automation({ owner }: build.Business, fields: Record<string, unknown> = {}): Promise<string> {
    const app = await service();
    const actions = [{ type: 'send_notification', title: 'Hola', body: 'Hola' }];
    const body = { name: 'Avisar', trigger: 'QUOTE_WON', conditions: [], actions, delayMinutes: 0, ...fields };
    const res = await app.post('/api/automations', body, owner);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    return res.body.id as string;
  }

  /** Until nothing of the tenant waits for the dispatcher. */
  const untilDispatched = (tenantId: string) =>
    eventually(async () => {
      const [waiting] = await rows(
        `select (select count(*) from outbox_events where tenant_id = $1 and (fanned_out_at is null or dispatched_at is null))
              + (select count(*) from webhook_deliveries where tenant_id = $1 and dispatched_at is null)
              + (select count(*) from automation_logs where tenant_id = $1 and dispatched_at is null) as n`,
        tenantId,
      );
      assert.equal(Number(waiting?.['n']), 0);
    });

  const deliveries = (tenantId: string) =>
    rows(
      `select webhook_id, event, event_id, payload, sequence::int, status from webhook_deliveries where tenant_id = $1
        order by sequence, webhook_id`,
      tenantId,
    );
  const logs = (tenantId: string) =>
    rows('select automation_id, event_id, status from automation_logs where tenant_id = $1', tenantId);
  const notifications = (tenantId: string) =>
    rows('select user_id, type, title, body from notifications where tenant_id = $1 order by type, user_id', tenantId);

  async function move({ owner }: build.Business, quoteId: string, status: string): Promise<void> {
    const app = await service();
    assert.equal((await app.patch(`/api/quotes/${quoteId}/status`, { status }, owner)).status, 200);
  }

  /** An event of a quote, as a step of the service writes it. */
  async function happen({ tenantId }: build.Business, quoteId: string, type: EventType): Promise<void> {
    const { deps } = await service();
    await deps.withTenant(tenantId, async (trx) => {
      const quote = await readFullQuote(trx, quoteId);
      assert.ok(quote, 'the quote is there');
      await recordEvent(trx, { type, quoteId, data: { quote: quotePayload(eventQuote(quote)) }, requestId: null });
    });
  }

  it('makes 3 deliveries, 2 runs and the notifications of one PATCH status, and starts each once', async () => {
    const business = await build.business();
    const { userId: creator, as } = await build.member(business);
    const quote = await build.quote(as);
    await move(business, quote.id, 'SENT');
    const one = await begin();
    await untilDispatched(business.tenantId);
    const hooks = [
      await webhook(business, ['quote.status_changed']),
      await webhook(business, ['quote.created', 'quote.status_changed']),
      await webhook(business, ['quote.status_changed', 'client.created']),
    ].toSorted();
    await webhook(business, ['quote.created']);
    const off = await webhook(business, ['quote.status_changed']);
    const app = await service();
    await app.request('PUT', `/api/webhooks/${off}`, { headers: business.owner, body: { isActive: false } });
    const autos = [
      await automation(business),
      await automation(business, { conditions: [{ field: 'total', operator: 'gt', value: 200 }] }),
    ].toSorted();
    await automation(business, { conditions: [{ field: 'total', operator: 'gt', value: 1_000_000 }] });
    await automation(business, { trigger: 'QUOTE_LOST' });
    await automation(business, { isActive: false });

    await move(business, quote.id, 'WON');
    await untilDispatched(business.tenantId);

    const [event] = await rows(
      `select id, payload from outbox_events where quote_id = $1 order by sequence desc limit 1`,
      quote.id,
    );
    assert.deepEqual(
      await deliveries(business.tenantId),
      hooks.map((id) => ({
        webhook_id: id,
        event: 'quote.status_changed',
        event_id: event?.['id'],
        payload: event?.['payload'],
        sequence: 1,
        status: 'PENDING',
      })),
    );
    const found = await logs(business.tenantId);
    assert.deepEqual(found.map((log) => String(log['automation_id'])).toSorted(), autos);
    assert.ok(found.every((log) => log['event_id'] === event?.['id'] && log['status'] === 'TRIGGERED'));
    assert.deepEqual(
      await notifications(business.tenantId),
      [business.userId, creator].toSorted().map((userId) => ({
        user_id: userId,
        type: 'quote_won',
        title: 'Cotización ganada',
        body: `COT-${quote.quoteNumber} · La Palma · $232.00 MXN`,
      })),
    );
    for (const id of [
      ...hooks.map((hook) => `hook.${hook}.${String(event?.['id'])}`),
      ...autos.map((auto) => `auto.${auto}.${String(event?.['id'])}`),
    ]) {
      assert.equal((await one.temporal.workflow.getHandle(id).describe()).status.name, 'RUNNING', id);
    }
  });

  it('starts a delivery once although the mark of its dispatch was lost', async () => {
    const business = await build.business();
    const hook = await webhook(business, ['client.created']);
    await build.client(business.owner);
    const { temporal } = await begin();
    await untilDispatched(business.tenantId);
    const [delivery] = await deliveries(business.tenantId);
    const handle = temporal.workflow.getHandle(`hook.${hook}.${String(delivery?.['event_id'])}`);
    const first = await handle.describe();
    await rows('update webhook_deliveries set dispatched_at = null where tenant_id = $1', business.tenantId);
    await untilDispatched(business.tenantId);
    assert.equal((await handle.describe()).runId, first.runId);

    await handle.terminate();
    await rows('update webhook_deliveries set dispatched_at = null where tenant_id = $1', business.tenantId);
    await untilDispatched(business.tenantId);
    assert.equal((await handle.describe()).runId, first.runId);
  });

  it('fans each event out once when three dispatchers work side by side, and numbers them without gaps', async () => {
    const business = await build.business();
    const hook = await webhook(business, ['client.created']);
    await Promise.all(Array.from({ length: 15 }, () => build.client(business.owner)));
    await Promise.all([begin(), begin(), begin()]);
    await eventually(async () => assert.equal((await deliveries(business.tenantId)).length, 15));

    const found = await deliveries(business.tenantId);

    assert.equal(new Set(found.map((row) => row['event_id'])).size, 15);
    assert.deepEqual(
      found.map((row) => [row['sequence'], row['webhook_id']]),
      Array.from({ length: 15 }, (_, i) => [i + 1, hook]),
    );
  });

  it('makes nothing but notifications for a business whose plan went back to FREE', async () => {
    const business = await build.business();
    await webhook(business, ['quote.status_changed']);
    await automation(business);
    const quote = await build.quote(business.owner);
    await build.patchTenant(business, { plan: 'FREE' });
    await move(business, quote.id, 'SENT');
    await move(business, quote.id, 'WON');
    await begin();
    await untilDispatched(business.tenantId);

    assert.deepEqual(await deliveries(business.tenantId), []);
    assert.deepEqual(await logs(business.tenantId), []);
    assert.equal((await notifications(business.tenantId)).length, 1);
  });

  it('the notification of a rejection has the client’s reason, and there is one for both of its events', async () => {
    const business = await build.business();
    const { portal } = await build.sentQuote(business);
    await (await service()).post(`${portal}/reject`, { reason: 'Muy caro' });
    await begin();
    await untilDispatched(business.tenantId);

    const about = await notifications(business.tenantId);

    assert.deepEqual(
      about.map(({ type }) => type),
      ['quote_rejected'],
    );
    assert.match(String(about[0]?.['body']), /^COT-1 · .* · Motivo: Muy caro$/);
  });

  it('tells of the first view of each version, and of the end that comes near', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner);
    for (const type of ['quote.viewed', 'quote.viewed', 'quote.expiring'] as const) {
      await happen(business, quote.id, type);
    }
    await begin();
    await untilDispatched(business.tenantId);
    const types = async () => (await notifications(business.tenantId)).map((row) => row['type']);
    assert.deepEqual(await types(), ['quote_expiring', 'quote_viewed']);

    await rows('update quotes set version = 2 where id = $1', quote.id);
    await happen(business, quote.id, 'quote.viewed');
    await untilDispatched(business.tenantId);

    assert.deepEqual(await types(), ['quote_expiring', 'quote_viewed', 'quote_viewed']);
  });

  it('triggers no automation that stands in the chain already, and none after three', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner);
    const auto = await automation(business, { trigger: 'QUOTE_VIEWED' });
    const other = 'caaaaaaaaaaaaaaaaaaaaaaaa';
    const triggered: string[] = [];
    for (const [depth, automationPath] of [
      [1, auto],
      [2, `${other},${auto}`],
      [3, other],
      [2, other],
    ] as const) {
      await happen(business, quote.id, 'quote.viewed');
      await rows(
        `update outbox_events set depth = $2, automation_path = $3 where sequence =
           (select max(sequence) from outbox_events where quote_id = $1)`,
        quote.id,
        depth,
        automationPath,
      );
    }
    await begin();
    await untilDispatched(business.tenantId);

    for (const { event_id: id } of await logs(business.tenantId)) {
      const [event] = await rows('select depth, automation_path from outbox_events where id = $1', id);
      triggered.push(`${String(event?.['depth'])} ${String(event?.['automation_path'])}`);
    }
    assert.deepEqual(triggered, [`2 ${other}`]);
  });
});
