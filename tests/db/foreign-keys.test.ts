import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import type { Link } from './catalogue.ts';
import { outcomeOf, rowsOf } from './database.ts';
import { type TwoTenants, twoTenants } from './two-tenants.ts';

const NO_SUCH_ROW = '23503'; // foreign_key_violation

describe('foreign keys', () => {
  let db: TwoTenants;
  let between: readonly Link[];
  before(async () => {
    db = await twoTenants();
    between = db.links.filter(({ target }) => target !== 'tenants');
  });

  it('include the tenant wherever both tables belong to tenants', () => {
    const loose = between.filter(
      ({ columns, targetColumns }) => columns[0] !== 'tenant_id' || targetColumns[0] !== 'tenant_id',
    );

    assert.deepEqual(loose, []);
    assert.ok(between.length >= 9, between.map(({ constraint }) => constraint).join());
  });

  it('link every table to its tenant, directly or through another row', () => {
    const tied = new Set(db.links.filter(({ columns }) => columns[0] === 'tenant_id').map(({ table }) => table));

    const untied = db.tables.map(({ name }) => name).filter((name) => name !== 'tenants' && !tied.has(name));
    assert.deepEqual(untied, []);
  });

  // As the owner of the tables, whom no policy stops: what refuses here is the key alone.
  it('reject a row that references one of another tenant', async () => {
    const outcomes: Record<string, boolean> = {};
    // Triggers of append-only tables would refuse first; those of the keys themselves stay.
    for (const { name } of db.tables) await rowsOf(db.owner, `alter table ${name} disable trigger user`);
    for (const link of between) {
      const seen = [await pointAway(link), await copyPointingAway(link)];
      outcomes[link.constraint] = seen.includes(NO_SUCH_ROW) && seen.every((outcome) => typeof outcome === 'string');
    }
    for (const { name } of db.tables) await rowsOf(db.owner, `alter table ${name} enable trigger user`);

    const through = Object.keys(outcomes).filter((constraint) => outcomes[constraint] !== true);
    assert.deepEqual(through, []);
  });

  it('accept a reference to a row of the same tenant, so the rejections above concern the tenant', async () => {
    const outcome = await outcomeOf(
      db.owner,
      'update quotes set client_id = (select id from clients where tenant_id = ?) where tenant_id = ?',
      [db.mine, db.mine],
    );

    assert.equal(outcome, 1);
  });

  const theirRow = ({ target, targetColumns }: Link) =>
    `(select "${targetColumns[1]}" from ${target} where tenant_id = ? limit 1)`;

  const pointAway = (link: Link) =>
    outcomeOf(db.owner, `update ${link.table} set "${link.columns[1]}" = ${theirRow(link)} where tenant_id = ?`, [
      db.theirs,
      db.mine,
    ]);

  async function copyPointingAway(link: Link): Promise<number | string> {
    const columns = db.tables.find(({ name }) => name === link.table)?.columns.map(({ name }) => name) ?? [];
    const values = columns.map((column) =>
      column === 'id' ? `'${newId()}'` : column === link.columns[1] ? theirRow(link) : `"${column}"`,
    );
    return outcomeOf(
      db.owner,
      `insert into ${link.table} (${columns.map((name) => `"${name}"`).join()})
       select ${values.join()} from ${link.table} where tenant_id = ?`,
      [db.theirs, db.mine],
    );
  }

  it('are all validated', async () => {
    const [row] = await rowsOf<{ n: number }>(
      db.owner,
      `select count(*)::int as n from pg_constraint where contype = 'f' and not convalidated`,
    );

    assert.equal(row?.n, 0);
  });
});
