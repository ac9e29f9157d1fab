import assert from 'node:assert/strict';
import { connectAsDispatcher } from '../../db/dispatcher-db.ts';
import { newId } from '../../db/ids.ts';
import { leaseDeliveries, MAX_FIRST_ATTEMPTS, MAX_STARTING } from '../../db/webhooks/lease-deliveries.ts';
import { backOff, markDispatched } from '../../db/writes/dispatch-rows.ts';
import { rowsOf } from './database.ts';
import { type SeparateDatabase, separateDatabase } from './separate-database.ts';
import { deliveryRow, insertWebhook } from './rows.ts';

const { endpoint: PER_ENDPOINT, tenant: PER_TENANT } = MAX_FIRST_ATTEMPTS;
const LIMIT = 100;

describe('deliveries that are leased for dispatch', () => {
  // Asked over all businesses.
  let db: SeparateDatabase;
  let tenantId: string;

  before(async () => {
    db = await separateDatabase();
  });
  after(() => db.stop());
  beforeEach(async () => {
    await db.owner('webhook_deliveries').delete();
    await db.owner('webhooks').delete();
    tenantId = await db.tenant();
  });

  const webhook = (fields: Readonly<Record<string, unknown>> = {}) => insertWebhook(db.owner, tenantId, fields);
  const since = Date.now() - 3_600_000;
  /** Ids in the order of the queue. */
  async function deliveries(
    webhookId: string,
    count: number,
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<readonly string[]> {
    const rows = Array.from({ length: count }, (_, index) => ({
      ...deliveryRow(tenantId, webhookId),
      sequence: index,
      created_at: new Date(since + index),
      ...fields,
    }));
    await db.owner.batchInsert('webhook_deliveries', rows, 500);
    return rows.map(({ id }) => id);
  }
  const leased = async (limit = LIMIT) => (await leaseDeliveries(db.dispatcher, limit)).rows.map(({ id }) => id);
  const dispatched = (ids: readonly string[]) => markDispatched(db.dispatcher, 'webhook_deliveries', ids);
  /** Their first call begins. */
  const call = (ids: readonly string[]) =>
    db
      .owner('webhook_attempts')
      .insert(
        ids.map((id) => ({ id: newId(), tenant_id: tenantId, delivery_id: id, number: 1, claim_token: newId() })),
      );
  const patch = (id: string, fields: Readonly<Record<string, unknown>>) =>
    db.owner('webhook_deliveries').where({ id }).update(fields);

  it('are the first few of an endpoint in their order, and no more until a first attempt has ended', async () => {
    const ids = await deliveries(await webhook(), 10);

    for (let n = 0; n < PER_ENDPOINT; n += MAX_STARTING) {
      const next = await leased();
      assert.deepEqual(next, ids.slice(n, n + MAX_STARTING));
      assert.deepEqual(await leased(), [], 'leased rows keep their place');
      await dispatched(next);
      await call(next);
    }
    assert.deepEqual(await leased(), [], 'dispatched rows keep their place');

    await patch(ids[0] ?? '', { status_code: 500 });
    assert.deepEqual(await leased(), ids.slice(PER_ENDPOINT, PER_ENDPOINT + 1));
  });

  it('are dispatched while other deliveries of the endpoint are in their retries', async () => {
    const webhookId = await webhook();
    await deliveries(webhookId, 10, { dispatched_at: new Date(), status_code: 503 });
    const ids = await deliveries(webhookId, MAX_STARTING);

    assert.deepEqual(await leased(), ids);
  });

  it('leave an endpoint alone whose circuit is open, until a probe is due: then they are one', async () => {
    const webhookId = await webhook({ consecutive_failures: 5, next_probe_at: new Date(Date.now() + 60_000) });
    const ids = await deliveries(webhookId, 10);

    assert.deepEqual(await leased(), []);

    await db.owner('webhooks').update({ next_probe_at: new Date(Date.now() - 1) });
    assert.deepEqual(await leased(), ids.slice(0, 1));
  });

  it('are ended in their order when the webhook is off, whatever its health was', async () => {
    const nextProbeAt = new Date(Date.now() + 60_000);
    const ids = await deliveries(
      await webhook({ is_active: false, consecutive_failures: 9, next_probe_at: nextProbeAt }),
      MAX_STARTING,
    );

    assert.deepEqual(await leased(), ids);
  });

  it('are a few of a tenant, each endpoint in turn, until their calls have begun', async () => {
    for (let n = 0; n < MAX_STARTING + 2; n += 1) await deliveries(await webhook(), 3);

    const { rows } = await leaseDeliveries(db.dispatcher, LIMIT);
    const ids = rows.map(({ id }) => id);
    assert.equal(new Set(rows.map(({ webhookId }) => webhookId)).size, MAX_STARTING);
    await dispatched(ids);
    assert.deepEqual(await leased(), []);

    await call(ids.slice(0, 1));
    assert.equal((await leased()).length, 1);
  });

  it('are more when those before them were throttled for some seconds', async () => {
    await deliveries(await webhook(), PER_ENDPOINT, { dispatched_at: new Date(Date.now() - 6_000) });
    const ids = await deliveries(await webhook(), 2);

    assert.deepEqual(await leased(), ids);
  });

  it('are limited for all endpoints of a tenant while their calls last', async () => {
    const called: string[] = [];
    for (let n = 0; n < PER_TENANT; n += 1) {
      called.push(...(await deliveries(await webhook(), 1, { dispatched_at: new Date() })));
    }
    await call(called);
    const ids = await deliveries(await webhook(), 2);

    assert.deepEqual(await leased(), []);
    await patch(called[0] ?? '', { status_code: 500 });
    assert.deepEqual(await leased(), ids.slice(0, 1));
  });

  it('of other endpoints are not held up by deliveries that wait for endpoints whose circuit is open', async () => {
    for (let n = 0; n < PER_TENANT; n += PER_ENDPOINT) {
      const webhookId = await webhook({ consecutive_failures: 5, next_probe_at: new Date(Date.now() + 60_000) });
      await deliveries(webhookId, PER_ENDPOINT, { dispatched_at: new Date(since) });
    }
    const ids = await deliveries(await webhook(), 2);

    assert.deepEqual(await leased(), ids);
  });

  it('keep their order when a dispatch failed', async () => {
    const ids = await deliveries(await webhook(), 10);
    const first = await leased();
    await backOff(db.dispatcher, 'webhook_deliveries', first);

    assert.deepEqual(await leased(), []);

    await db.owner('webhook_deliveries').update({ dispatch_after: new Date(Date.now() - 1) });
    assert.deepEqual(await leased(), ids.slice(0, MAX_STARTING));
  });

  it('are found without reading the rows that wait behind them', async () => {
    for (const webhookId of [await webhook(), await webhook()]) await deliveries(webhookId, 5_000);
    await db.owner.raw('vacuum analyze webhook_deliveries');
    // One connection, whose counts are written at the end of each statement.
    const knex = connectAsDispatcher({ url: db.urls.dispatcher, pool: 1, applicationName: 'quoting-test' });
    const flush = () => knex.raw('select pg_stat_force_next_flush()');

    // The counts of the rows above, which its connection may write a second later.
    await db.owner.raw('select pg_stat_force_next_flush()');
    await flush();
    const before = await rowsRead();
    const { rows } = await leaseDeliveries(knex, LIMIT);
    await flush();
    const read = (await rowsRead()) - before;
    await knex.destroy();

    assert.equal(rows.length, MAX_STARTING);
    assert.ok(read > 0 && read < 200, `${read} rows read`);
  });

  /** Index entries and rows of deliveries that PostgreSQL has read. */
  async function rowsRead(): Promise<number> {
    const [row] = await rowsOf<{ n: string }>(
      db.owner,
      `select seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid) as n
         from pg_stat_user_tables t where relname = 'webhook_deliveries'`,
    );
    return Number(row?.n);
  }
});
