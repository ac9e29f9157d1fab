import type { Knex } from 'knex';
import { newId } from '../../db/ids.ts';
import { type Column, type Link, type TenantTable, tenantLinks, tenantTables } from './catalogue.ts';
import { ownDatabase, rowsOf, type TestDatabase, testDatabase } from './database.ts';

/** Two businesses with one row in every table of tenants, made from the catalogue. */
export interface TwoTenants extends TestDatabase {
  readonly mine: string;
  readonly theirs: string;
  readonly tables: readonly TenantTable[];
  readonly links: readonly Link[];
  /** Runs as the app role with `mine` set, in a transaction that is always rolled back. */
  asMe<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>;
}

let making: Promise<TwoTenants> | undefined;
export const twoTenants = (): Promise<TwoTenants> => (making ??= testDatabase().then(make));

/** Two others in a database of their own, for tests that delete them. */
export const ownTwoTenants = (): Promise<TwoTenants> => ownDatabase().then(make);

async function make(database: TestDatabase): Promise<TwoTenants> {
  const [tables, links] = await Promise.all([tenantTables(database.owner), tenantLinks(database.owner)]);
  await dropChecks(database.owner);
  const mine = await makeTenant(database.owner, tables, links);
  const theirs = await makeTenant(database.owner, tables, links);
  const asMe: TwoTenants['asMe'] = async (work) => {
    const trx = await database.app.transaction();
    try {
      await trx.raw("select set_config('app.tenant_id', ?, true)", [mine]);
      return await work(trx);
    } finally {
      await trx.rollback();
    }
  };
  return { ...database, mine, theirs, tables, links, asMe };
}

/** These rows are only there to be hidden: what check constraints ask of them would be in the way. */
async function dropChecks(db: Knex): Promise<void> {
  await db.raw(`do $$ declare c record; begin
    for c in select conname, conrelid::regclass as tab from pg_constraint
              where contype = 'c' and connamespace = 'public'::regnamespace
    loop execute format('alter table %s drop constraint %I', c.tab, c.conname); end loop;
  end $$`);
}

async function makeTenant(db: Knex, tables: readonly TenantTable[], links: readonly Link[]): Promise<string> {
  const tenantId = newId();
  for (const table of inOrder(tables, links)) {
    const pointers = new Map(
      links
        .filter((link) => link.table === table.name && link.target !== table.name)
        .flatMap(({ columns, target, targetColumns }) =>
          columns.map((column, i) => [column, { target, of: targetColumns[i] ?? 'id' }]),
        ),
    );
    const values = new Map<string, string>();
    for (const column of table.columns) {
      const pointer = pointers.get(column.name);
      if (column.name === table.key) values.set(column.name, tenantId);
      else if (pointer) values.set(column.name, await pointed(db, tenantId, pointer));
      else if (column.isRequired) values.set(column.name, valueFor(table, column));
    }
    const names = [...values.keys()].map((name) => `"${name}"`);
    const marks = names.map(() => '?');
    await rowsOf(db, `insert into ${table.name} (${names.join()}) values (${marks.join()})`, [...values.values()]);
  }
  return tenantId;
}

/** Targets of links before the tables that point at them. */
function inOrder(tables: readonly TenantTable[], links: readonly Link[]): readonly TenantTable[] {
  const done: TenantTable[] = [];
  while (done.length < tables.length) {
    const isDone = (name: string) => done.some((table) => table.name === name);
    const ready = tables.filter(
      ({ name }) =>
        !isDone(name) && links.every(({ table, target }) => table !== name || target === name || isDone(target)),
    );
    if (ready.length === 0) throw new Error('the tables point at each other in a circle');
    done.push(...ready);
  }
  return done;
}

async function pointed(db: Knex, tenantId: string, { target, of }: { target: string; of: string }): Promise<string> {
  const key = target === 'tenants' ? 'id' : 'tenant_id';
  const [row] = await rowsOf<{ value: string }>(db, `select "${of}" as value from ${target} where ${key} = ?`, [
    tenantId,
  ]);
  if (!row) throw new Error(`no row in ${target}`);
  return row.value;
}

/** Any value of the type, different each time where it is text. */
function valueFor(table: TenantTable, { name, type }: Column): string {
  const values: Readonly<Record<string, string>> = {
    text: newId(),
    _text: '{}',
    numeric: '0',
    int4: '1',
    int8: '1',
    bool: 'true',
    timestamptz: new Date().toISOString(),
  };
  const value = values[type];
  if (value === undefined) throw new Error(`no value for ${table.name}.${name} of type ${type}`);
  return value;
}
