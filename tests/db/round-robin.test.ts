import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { leaseDeliveries, leaseReplays } from '../../db/webhooks/lease-deliveries.ts';
import { discardIrrelevantEvents } from '../../db/writes/fan-out-events.ts';
import { leaseEvents } from '../../db/writes/lease-events.ts';
import { leaseAutomationRuns } from '../../db/writes/lease-automation-runs.ts';
import { type SeparateDatabase, separateDatabase } from './separate-database.ts';
import { deliveryRow, insertQuote, insertWebhook } from './rows.ts';

const BACKLOG = 200;
const LIMIT = 10;

/** Each step of the dispatcher takes a few rows of all that wait. One tenant has a backlog that is older than the rest. */
describe('the rows that a step of the dispatcher takes', () => {
  let db: SeparateDatabase;
  let busy: string;
  let others: readonly string[];

  before(async () => {
    db = await separateDatabase();
  });
  after(() => db.stop());
  beforeEach(async () => {
    busy = await db.tenant();
    others = [await db.tenant(), await db.tenant()];
  });
  afterEach(async () => {
    await db.owner('automation_logs').delete();
    await db.owner('webhook_deliveries').delete();
    await db.owner('outbox_events').delete();
  });

  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  /** Of the busy tenant a backlog, then a row of each other, the newest of all. */
  const waiting = <Row>(row: (tenantId: string, at: Date) => Row): readonly Row[] => [
    ...Array.from({ length: BACKLOG }, (_, i) => row(busy, minutesAgo(BACKLOG - i))),
    ...others.map((tenantId) => row(tenantId, new Date())),
  ];
  /** The first of these ids that is the tenant's, from 0. */
  const places = (tenants: readonly string[]) => others.map((other) => tenants.indexOf(other));
  const assertInTurn = (tenants: readonly string[], count = LIMIT) => {
    assert.equal(tenants.length, count);
    assert.ok(
      places(tenants).every((place) => place >= 0),
      `the others' places are ${places(tenants).join()} of ${tenants.length}`,
    );
  };

  const events = () =>
    db.owner('outbox_events').insert(
      waiting((tenantId) => {
        const id = newId();
        return {
          id,
          tenant_id: tenantId,
          type: 'quote.viewed',
          payload: '{}',
          root_event_id: id,
        };
      }),
    );

  const tenantOf = ({ tenantId }: { readonly tenantId: string }) => tenantId;

  it('are events to fan out with tenants in turn, those of one tenant in their order', async () => {
    await events();
    const { rows } = await db.owner.raw<{ rows: { id: string }[] }>(
      'select id from outbox_events where tenant_id = ? order by sequence limit ?',
      [busy, LIMIT - others.length],
    );

    const { events: taken, seen } = await discardIrrelevantEvents(db.dispatcher, LIMIT);

    assert.equal(seen, LIMIT);
    assertInTurn(taken.map(tenantOf));
    assert.deepEqual(
      taken.filter(({ tenantId }) => tenantId === busy).map(({ id }) => id),
      rows.map(({ id }) => id),
    );
  });

  it('are events to dispatch with tenants in turn, and the rest of the backlog afterwards', async () => {
    await events();

    assertInTurn((await leaseEvents(db.dispatcher, LIMIT)).map(tenantOf));
    const rest = await leaseEvents(db.dispatcher, 1_000);

    assert.equal(rest.length, BACKLOG + others.length - LIMIT);
    assert.deepEqual(await leaseEvents(db.dispatcher, LIMIT), []);
  });

  it('are events that no other dispatcher has locked, as many as it may take', async () => {
    await events();
    const trx = await db.dispatcher.transaction();
    const { rows } = await trx.raw<{ rows: unknown[] }>(
      'select id from outbox_events where tenant_id = ? order by sequence limit ? for update',
      [busy, LIMIT],
    );
    assert.equal(rows.length, LIMIT);

    const taken = await leaseEvents(db.dispatcher, LIMIT);
    await trx.rollback();

    assertInTurn(taken.map(tenantOf));
  });

  describe('of webhooks', () => {
    const webhooks = new Map<string, string>();

    beforeEach(async () => {
      for (const tenantId of [busy, ...others]) {
        webhooks.set(tenantId, await insertWebhook(db.owner, tenantId));
      }
    });

    const delivery = (tenantId: string, at: Date) => ({
      ...deliveryRow(tenantId, webhooks.get(tenantId)),
      created_at: at,
      dispatch_after: at,
    });

    it('are deliveries with tenants in turn', async () => {
      await db.owner('webhook_deliveries').insert(waiting(delivery));

      const taken: string[] = [];
      // The tenant of the backlog is given two; of the others only one waits.
      for (let n = 0; n < 4; n += 1) taken.push(...(await leaseDeliveries(db.dispatcher, 1)).rows.map(tenantOf));

      assertInTurn(taken, 4);
    });

    it('are replays with tenants in turn, also when they are taken one by one', async () => {
      const rows = waiting((tenantId, at) => ({ ...delivery(tenantId, at), replay: 1 }));
      await db.owner('webhook_deliveries').insert(rows);

      const taken: string[] = [];
      // Each time it is one of three by chance; two of them would be missed once in a hundred thousand times.
      for (let n = 0; n < 30; n += 1) taken.push(...(await leaseReplays(db.dispatcher, 1)).rows.map(tenantOf));

      assertInTurn(taken, 30);
    });
  });

  it('are automation runs with tenants in turn', async () => {
    const made = new Map<string, { automationId: string; quoteId: string }>();
    for (const tenantId of [busy, ...others]) made.set(tenantId, await automation(tenantId));
    await db.owner('automation_logs').insert(
      waiting((tenantId, at) => ({
        id: newId(),
        tenant_id: tenantId,
        automation_id: made.get(tenantId)?.automationId,
        quote_id: made.get(tenantId)?.quoteId,
        event_id: newId(),
        conditions: '[]',
        actions: '[]',
        delay_minutes: 0,
        triggered_at: at,
        dispatch_after: at,
      })),
    );

    assertInTurn((await leaseAutomationRuns(db.dispatcher, LIMIT)).rows.map(tenantOf));
  });

  async function automation(tenantId: string): Promise<{ automationId: string; quoteId: string }> {
    const automationId = newId();
    const { quoteId } = await insertQuote(db.owner, tenantId, { status: 'GENERATED' });
    await db.owner('automations').insert({
      id: automationId,
      tenant_id: tenantId,
      name: 'prueba',
      trigger: 'QUOTE_CREATED',
      conditions: '[]',
      actions: '[]',
      delay_minutes: 0,
    });
    return { automationId, quoteId };
  }
});
