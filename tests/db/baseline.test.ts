import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { Knex } from 'knex';
import { connect } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { migrate } from '../../db/migrate.ts';
import { schemaOf, surroundingsOf } from './catalogue.ts';
import { rowsOf, throwAwayDatabase, type ThrowAwayDatabase } from './database.ts';
import { formerDatabase } from './former-database.ts';

interface Bookkeeping {
  readonly id: number;
  readonly name: string;
  readonly batch: number;
}

const FIRST_LATER = '20261128090000_create_quote_views';
const LAST_FORMER = '20261128075000_let_relay_see_failing_webhooks';

const bookkeepingOf = (db: Knex): Promise<Bookkeeping[]> =>
  rowsOf<Bookkeeping>(db, 'select id, name, batch from knex_migrations order by name');
const namesOf = async (db: Knex): Promise<readonly string[]> => (await bookkeepingOf(db)).map(({ name }) => name);

async function filesOfMigrations(): Promise<readonly string[]> {
  const files = await readdir(new URL('../../db/migrations/', import.meta.url));
  return files.map((file) => file.replace(/\.ts$/, '')).toSorted();
}

describe('A database of the 37 migrations that the baseline replaces', () => {
  let database: ThrowAwayDatabase;
  let owner: Knex;
  let former: readonly Bookkeeping[];
  let applied: readonly string[];
  const tenantId = newId();

  before(async () => {
    database = await formerDatabase();
    owner = connect({ url: database.urls.admin, pool: 2, applicationName: 'quoting-test' });
    await owner('tenants').insert({ id: tenantId, slug: 't-anterior', companyName: 'Muebles Roble', plan: 'PRO' });
    former = await bookkeepingOf(owner);
    applied = await migrate(database.urls);
  });
  after(async () => {
    await owner.destroy();
    await database.end();
  });

  it('gets the later migrations only, and the bookkeeping of a fresh database', async () => {
    const files = await filesOfMigrations();
    const bookkeeping = await bookkeepingOf(owner);

    assert.equal(former.length, 37);
    assert.deepEqual(
      bookkeeping.map(({ name }) => name),
      files,
    );
    assert.deepEqual(applied, files.slice(files.length - applied.length));
    assert.deepEqual(
      bookkeeping.filter(({ batch }) => batch === 1).map(({ name }) => name),
      files.slice(0, files.length - applied.length),
    );
    assert.equal(applied[0], FIRST_LATER);
  });

  it('keeps its rows', async () => {
    assert.deepEqual(await rowsOf(owner, 'select id, company_name from tenants'), [
      { id: tenantId, companyName: 'Muebles Roble' },
    ]);
  });

  it('has the schema, roles, grants and policies of a fresh database', async () => {
    const fresh = await throwAwayDatabase();
    await migrate(fresh.urls);
    const db = connect({ url: fresh.urls.admin, pool: 1, applicationName: 'quoting-test' });
    const [schema, surroundings] = [await schemaOf(db), await surroundingsOf(db)];
    await db.destroy();
    await fresh.end();

    assert.deepEqual(await schemaOf(owner), schema);
    assert.deepEqual(await surroundingsOf(owner), surroundings);
    assert.ok(schema.length > 1000);
  });

  it('is not changed by a second run', async () => {
    const before = await bookkeepingOf(owner);

    assert.deepEqual(await migrate(database.urls), []);
    assert.deepEqual(await bookkeepingOf(owner), before);
  });

  it('is recognised with later migrations in its bookkeeping', async () => {
    const names = await namesOf(owner);
    const later = names.slice(names.length - applied.length);
    await owner('knex_migrations')
      .whereNotIn('name', [...later])
      .delete();
    await owner('knex_migrations').insert(former.map(({ name, batch }) => ({ name, batch })));

    assert.deepEqual(await migrate(database.urls), []);
    assert.deepEqual(await namesOf(owner), names);
  });
});

describe('A database with some of the migrations that the baseline replaces', () => {
  let database: ThrowAwayDatabase;
  let owner: Knex;

  before(async () => {
    database = await formerDatabase();
    owner = connect({ url: database.urls.admin, pool: 2, applicationName: 'quoting-test' });
  });
  after(async () => {
    await owner.destroy();
    await database.end();
  });

  it('is refused with the cure, and stays unchanged', async () => {
    await owner('knex_migrations').where({ name: LAST_FORMER }).delete();
    const state = async () => [await bookkeepingOf(owner), await schemaOf(owner), await surroundingsOf(owner)];
    const before = await state();

    await assert.rejects(
      migrate(database.urls),
      /newest migration is 20261128070000_carry_deliveries_in_batches\. Install commit 9fa9f9a, run its "npm run migrate"/,
    );
    assert.deepEqual(await state(), before);
  });

  it('is refused when one before the last is missing', async () => {
    await owner('knex_migrations').insert({ name: LAST_FORMER, batch: 1 });
    const [lost] = await bookkeepingOf(owner);
    await owner('knex_migrations').where({ name: lost?.name }).delete();

    await assert.rejects(migrate(database.urls), /cannot upgrade/);

    await owner('knex_migrations').insert({ name: lost?.name, batch: 1 });
  });

  it('is upgraded once when two processes migrate it at the same moment, as soon as it has all of them', async () => {
    const applied = await Promise.all([migrate(database.urls), migrate(database.urls)]);

    const files = await filesOfMigrations();
    assert.deepEqual(
      applied.map((names) => names.length).toSorted((a, b) => a - b),
      [0, files.length - files.indexOf(FIRST_LATER)],
    );
    assert.deepEqual(await namesOf(owner), files);
  });
});

describe('An empty database', () => {
  it('is migrated once when two processes migrate it at the same moment', async () => {
    const { urls, end } = await throwAwayDatabase();

    const applied = await Promise.allSettled([migrate(urls), migrate(urls)]);
    await end();

    assert.deepEqual(
      applied.flatMap((one) => (one.status === 'fulfilled' ? one.value : [one.reason])),
      await filesOfMigrations(),
    );
  });
});
