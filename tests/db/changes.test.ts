import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import { connect } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { migrate, migrateDown } from '../../db/migrate.ts';
import { changesCompleteUntil } from '../../db/reads/complete-changes.ts';
import { NEWEST } from '../../db/reads/keyset.ts';
import { createWithTenant, type WithTenant } from '../../db/with-tenant.ts';
import { orderNamed, orderOf } from '../../api/quotes/order.ts';
import { rowsOf, throwAwayDatabase } from './database.ts';
import { insertQuote } from './rows.ts';
import { type SeparateDatabase, separateDatabase } from './separate-database.ts';

const BEFORE = '20261201130010_add_contacts_to_clients';

describe('Times of changes', () => {
  let db: SeparateDatabase;
  let withTenant: WithTenant;
  let tenantId: string;
  let quoteId: string;
  let clientId: string;
  before(async () => {
    // Other files count the tenants of the shared one.
    db = await separateDatabase();
    withTenant = createWithTenant(db.app, () => undefined);
  });
  after(() => db.stop());
  beforeEach(async () => {
    tenantId = newId();
    await db.owner('tenants').insert({ id: tenantId, slug: tenantId, company_name: 'Acme', plan: 'PRO' });
    ({ quoteId, clientId } = await insertQuote(db.owner, tenantId));
  });

  const untilNow = async () => Number(await withTenant(tenantId, changesCompleteUntil));
  const microseconds = async (trx: Knex, expression: string): Promise<number> => {
    const [row] = await rowsOf<{ at: string }>(
      trx,
      `select (extract(epoch from ${expression}) * 1000000)::bigint as at`,
    );
    return Number(row?.at);
  };
  const changedAt = async () => {
    const [row] = await rowsOf<{ at: string }>(db.owner, 'select changed_at::text as at from quotes where id = ?', [
      quoteId,
    ]);
    return row?.at;
  };

  it('are complete until the start of the oldest transaction that changed a quote or client, in milliseconds', async () => {
    const [first, second] = [await db.owner.transaction(), await db.owner.transaction()];
    const starts = [await microseconds(first, 'now()'), await microseconds(second, 'now()')];
    const whileIdle = await untilNow();
    await second('quotes').where({ id: quoteId }).update({ title: 'Otro' });
    const withSecond = await untilNow();
    await first('clients').where({ id: clientId }).update({ notes: 'Otra' });
    const withBoth = await untilNow();
    await first.rollback();
    const afterFirst = await untilNow();
    await second.commit();
    const afterBoth = await untilNow();

    const [startOfFirst = 0, startOfSecond = 0] = starts.map((at) => Math.floor(at / 1000) * 1000);
    assert.ok(whileIdle > startOfSecond);
    assert.deepEqual([withSecond, withBoth, afterFirst], [startOfSecond, startOfFirst, startOfSecond]);
    assert.ok(afterBoth > whileIdle);
  });

  it('are held up by a change whose savepoint was kept, and not by one whose savepoint was rolled back', async () => {
    const outer = await db.owner.transaction();
    const start = Math.floor((await microseconds(outer, 'now()')) / 1000) * 1000;
    const undone = await outer.transaction();
    await undone('quotes').where({ id: quoteId }).update({ title: 'Otro' });
    await undone.rollback();
    const afterUndone = await untilNow();
    const kept = await outer.transaction();
    await kept('quotes').where({ id: quoteId }).update({ title: 'Otro' });
    await kept.commit();
    const afterKept = await untilNow();
    await outer.commit();

    assert.ok(afterUndone > start + 1000);
    assert.equal(afterKept, start);
  });

  it('are read by transactions that see each statement’s present only', async () => {
    await assert.rejects(withTenant(tenantId, changesCompleteUntil, { isSnapshot: true }), /never read in a snapshot/);
  });

  it('are PostgreSQL’s, whatever a statement says', async () => {
    const before = await microseconds(db.owner, 'clock_timestamp()');
    await db
      .owner('clients')
      .where({ id: clientId })
      .update({ updated_at: new Date('2001-01-01') });
    await db
      .owner('quotes')
      .where({ id: quoteId })
      .update({ changed_at: new Date('2001-01-01') });

    const times = await rowsOf<{ at: Date }>(
      db.owner,
      'select updated_at as at from clients where id = ? union all select changed_at from quotes where id = ?',
      [clientId, quoteId],
    );

    assert.ok(times.every(({ at }) => at.getTime() >= Math.floor(before / 1000)));
  });

  it('stay when an update changes nothing, or only what no list shows', async () => {
    const before = await changedAt();
    await db.owner('quotes').where({ id: quoteId }).update({ notes: '' });
    await db.owner('quotes').where({ id: quoteId }).increment('view_count', 1);
    await db.owner('quotes').where({ id: quoteId }).update({ public_token_sealed: 'y', former_client_names: 'x' });
    const after = await changedAt();
    await db.owner('quotes').where({ id: quoteId }).update({ notes: 'x', view_count: 9 });

    assert.equal(after, before);
    assert.notEqual(await changedAt(), before);
  });

  it('columns by which lists are ordered are never null', async () => {
    const orders = (['quoteNumber', 'createdAt', 'expiresAt', 'total'] as const).map(orderNamed);
    const changes = orderOf({ sort: '-quoteNumber', updatedSince: '2026-11-30T00:00:00Z' });
    const named = [...orders, changes].flatMap(({ columns }) => columns.map(({ name }) => `quotes.${name}`));
    const others = ['clients', 'products', 'auditLogs', 'webhookDeliveries'].flatMap((table) =>
      NEWEST.columns.map(({ name }) => `${table}.${name}`),
    );
    const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const wanted = new Set([...named, ...others, 'clients.updatedAt'].map(snake));

    const found = await rowsOf<{ name: string }>(
      db.owner,
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and is_nullable = 'NO'`,
    );

    const notNull = new Set(found.map(({ name }) => name));
    assert.equal(wanted.size, 15);
    assert.deepEqual(
      [...wanted].filter((name) => !notNull.has(name)),
      [],
    );
  });

  it('are added to existing quotes without writing the table again, with indexes that are valid', async () => {
    const { urls, end } = await throwAwayDatabase();
    await migrate(urls);
    await migrateDown(urls.admin, { to: BEFORE });
    const owner = connect({ url: urls.admin, pool: 1, applicationName: 'quoting-test' });
    await owner('tenants').insert({ id: tenantId, slug: 't-cambios', company_name: 'Acme', plan: 'PRO' });
    await insertQuote(owner, tenantId);
    const files = () =>
      rowsOf(owner, `select relname, relfilenode from pg_class where relname in ('quotes', 'clients') order by 1`);
    const before = await files();

    await migrate(urls);

    assert.deepEqual(await files(), before);
    assert.deepEqual(await rowsOf(owner, 'select changed_at <= now() as "isPast" from quotes'), [{ isPast: true }]);
    const indexes = await rowsOf(
      owner,
      `select indexrelid::regclass::text as name, indisvalid as "isValid" from pg_index
        where indexrelid::regclass::text like '%_by_change' order by 1`,
    );
    assert.deepEqual(indexes, [
      { name: 'clients_by_change', isValid: true },
      { name: 'quotes_by_change', isValid: true },
    ]);
    await owner.destroy();
    await end();
  });
});
