import assert from 'node:assert/strict';
import type { Column } from './catalogue.ts';
import { rowsOf } from './database.ts';
import { type TwoTenants, twoTenants } from './two-tenants.ts';

/** Columns that a change of the record's representation never consists of. */
const UNCOUNTED = {
  quotes: [
    'announced_expiry',
    'former_client_names',
    'link_withheld',
    'public_token_hash',
    'public_token_sealed',
    'reminders_stopped_at',
    'share_id',
    'shared_at',
    'shared_version',
    'updated_at',
    'view_count',
  ],
  clients: ['updated_at'],
  products: ['updated_at'],
  tenants: ['plan', 'reschedule_event_id', 'updated_at'],
} as const;

/** Another value of each type. */
const OTHER: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `coalesce(${column}, '') || 'x'`,
  int4: (column) => `coalesce(${column}, 0) + 1`,
  numeric: (column) => `coalesce(${column}, 0) + 0.1`,
  bool: (column) => `not ${column}`,
  timestamptz: (column) => `coalesce(${column}, now()) + interval '1 day'`,
  _int4: (column) => `${column} || 1`,
};

describe('the revision of a row', () => {
  let db: TwoTenants;
  before(async () => {
    db = await twoTenants();
  });

  /** The revision before and after an update, which is rolled back. */
  const revisions = (table: string, set: string): Promise<readonly [number, number]> =>
    db.asMe(async (trx) => {
      const read = async () => {
        const [row] = await rowsOf<{ revision: number }>(trx, `select revision from ${table}`);
        return Number(row?.revision);
      };
      const before = await read();
      await trx.raw(`update ${table} set ${set}`);
      return [before, await read()];
    });
  // Keys of rows, and columns that a foreign key holds to their values.
  const changeable = (table: string): readonly Column[] => {
    const held = new Set(db.links.filter((link) => link.table === table).flatMap(({ columns }) => columns));
    const found = db.tables.find(({ name }) => name === table);
    assert.ok(found);
    return found.columns.filter(({ name }) => !held.has(name) && name !== 'id' && name !== 'revision');
  };

  for (const [table, uncounted] of Object.entries(UNCOUNTED)) {
    it(`of ${table} rises by one with an update of any column but ${uncounted.join(', ')}`, async () => {
      const still: string[] = [];
      const columns = changeable(table);
      for (const { name, type } of columns) {
        const other = OTHER[type];
        assert.ok(other, `${table}.${name} has the type ${type}`);
        const [before, after] = await revisions(table, `${name} = ${other(name)}`);
        if (after === before) still.push(name);
        else assert.deepEqual([name, after], [name, before + 1]);
      }

      assert.deepEqual(still.sort(), [...uncounted]);
      assert.ok(columns.length > uncounted.length + 5);
    });

    it(`of ${table} stays with an update that changes nothing, and rises by one when it is set itself`, async () => {
      const [before, unchanged] = await revisions(table, 'updated_at = updated_at, created_at = created_at');
      const [, raised] = await revisions(table, 'revision = revision + 1');
      const [, forced] = await revisions(table, 'revision = 1000, created_at = now()');

      assert.deepEqual([unchanged, raised, forced], [before, before + 1, before + 1]);
    });
  }
});
