import assert from 'node:assert/strict';
import { connect } from '../../db/database.ts';
import { connectAsDispatcher } from '../../db/dispatcher-db.ts';
import { newId } from '../../db/ids.ts';
import { migrate, migrateDown, type MigrationUrls } from '../../db/migrate.ts';
import { pendingDeliveries } from '../../db/reads/unfinished-work.ts';
import { leaseDeliveries } from '../../db/webhooks/lease-deliveries.ts';
import { throwAwayDatabase } from './database.ts';

/** The newest migration of the version that made first attempts in batches. */
const BEFORE = '20261129170010_index_waiting_rows_by_tenant';

describe('Deliveries of the version with batches, upgraded', () => {
  let urls: MigrationUrls;
  let end: () => Promise<void>;
  const ids = {
    waiting: newId(),
    inBatch: newId(),
    notStarted: newId(),
    left: newId(),
    retried: newId(),
    done: newId(),
  };

  before(async () => {
    ({ urls, end } = await throwAwayDatabase());
    await migrate(urls);
    await migrateDown(urls.admin, { to: BEFORE });
    const db = connect({ url: urls.admin, pool: 1, applicationName: 'quoting-test' });
    const [tenantId, at] = [newId(), new Date(Date.now() - 3_600_000)];
    await db('tenants').insert({ id: tenantId, slug: 't-lotes', companyName: 'Acme', plan: 'PRO' });
    const delivery = async (id: string, fields: Readonly<Record<string, unknown>>) => {
      const webhookId = newId();
      const secret = { secretSealed: 'x', secretLast4: 'last' };
      const url = 'https://example.com/hook';
      await db('webhooks').insert({ id: webhookId, tenantId, url, events: ['product.created'], ...secret });
      const event = { event: 'product.created', eventId: newId(), payload: '{}' };
      await db('webhookDeliveries').insert({ id, tenantId, webhookId, ...event, createdAt: at, ...fields });
    };
    await delivery(ids.waiting, {});
    await delivery(ids.inBatch, { batchId: 'b', handedOverAt: at });
    await delivery(ids.notStarted, { batchId: 'b', attempts: 3, nextAttemptAt: new Date(Date.now() + 8_000) });
    await delivery(ids.left, { batchId: 'b', leftBatchAt: at, statusCode: 500, dueAt: at });
    await delivery(ids.retried, { handedOverAt: at, statusCode: 500, dueAt: at });
    const ended = { status: 'DELIVERED', statusCode: 200, deliveredAt: at, completedAt: at };
    await delivery(ids.done, { batchId: 'b', handedOverAt: at, ...ended });
    await db.destroy();
    await migrate(urls);
  });
  after(() => end());

  it('are dispatched one by one when they waited or were in a batch, and left to the reconciler when they were retried', async () => {
    const knex = connectAsDispatcher({ url: urls.dispatcher, pool: 1, applicationName: 'quoting-test' });
    const owner = connect({ url: urls.admin, pool: 1, applicationName: 'quoting-test' });

    const unfinished = await pendingDeliveries(knex, { after: '', limit: 100, olderThanSeconds: 20 });
    const dispatched: string[] = [];
    for (;;) {
      const { rows } = await leaseDeliveries(knex, 100);
      if (rows.length === 0) break;
      const leased = rows.map(({ id }) => id);
      dispatched.push(...leased);
      // Their first attempts end, which makes room for the next ones.
      await owner('webhookDeliveries').whereIn('id', leased).update({ dispatchedAt: new Date(), statusCode: 500 });
    }
    await Promise.all([knex.destroy(), owner.destroy()]);

    const { waiting, inBatch, notStarted, left } = ids;
    assert.deepEqual(dispatched.toSorted(), [waiting, inBatch, notStarted, left].toSorted());
    assert.deepEqual(
      unfinished.map(({ id }) => id),
      [ids.retried],
    );
  });
});
