import assert from 'node:assert/strict';
import { TENANT_TABLES } from '../../db/tenant-tables.ts';
import { countTenantRows, eraseRows, eraseTenant } from '../../db/writes/erase-tenant.ts';
import { outcomeOf, rowsOf } from './database.ts';
import { ownTwoTenants, type TwoTenants } from './two-tenants.ts';

const DENIED = '42501';

/** Columns that are named like a secret and are none: SHA-256 of documents and of the audit log, the end of a secret that the console shows. */
const NO_SECRETS = [
  'audit_heads.hash',
  'audit_seals.hash',
  'audit_seals.previous_hash',
  'audit_seals.sealed_at',
  'mails.token_id',
  'webhooks.secret_last4',
];

describe('tables of tenants', () => {
  let db: TwoTenants;
  before(async () => {
    db = await ownTwoTenants();
  });

  it('are all known to export and deletion, each with its primary key and each column exported or withheld', async () => {
    const stored = await rowsOf<{ name: string; key: string[]; columns: string[] }>(
      db.owner,
      `select table_name as name, json_agg(column_name order by column_name) as columns,
              (select json_agg(attname order by array_position(indkey::int2[], attnum))
                 from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
                where indrelid = quote_ident(table_name)::regclass and indisprimary) as key
         from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE'
          and table_name in (select table_name from information_schema.columns
                              where table_schema = 'public' and column_name = 'tenant_id' union select 'tenants')
        group by table_name order by table_name`,
    );

    const known = TENANT_TABLES.map(({ name, key, exported, withheld }) => ({
      name,
      key: [...key],
      columns: [...exported, ...withheld].toSorted(),
    })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    assert.deepEqual(
      known,
      stored.map(({ name, key, columns }) => ({ name, key, columns: columns.toSorted() })),
    );
  });

  it('export no column that is named like a secret', () => {
    const suspicious = TENANT_TABLES.flatMap(({ name, exported }) =>
      exported
        .filter((column) => /hash|sealed|secret|token|password/.test(column))
        .map((column) => `${name}.${column}`),
    );

    assert.deepEqual(suspicious.toSorted(), NO_SECRETS);
  });

  it('the eraser deletes nothing of an enabled tenant, and sees nothing of it', async () => {
    const before = await countTenantRows(db.owner, db.mine);

    const erased = await eraseRows(db.owner, db.mine);

    assert.equal(erased, 0);
    assert.deepEqual(await countTenantRows(db.owner, db.mine), before);
    assert.equal(before.size, TENANT_TABLES.length);
  });

  it('the eraser deletes all rows of a disabled tenant, in every table, and none of another', async () => {
    const others = await countTenantRows(db.owner, db.theirs);
    await disable(db.mine);

    const erased = await eraseRows(db.owner, db.mine);

    assert.equal(erased, TENANT_TABLES.length - 1);
    assert.deepEqual([...(await countTenantRows(db.owner, db.mine))], [['tenants', 1]]);
    assert.equal(await eraseTenant(db.owner, db.mine), true);
    assert.equal((await countTenantRows(db.owner, db.mine)).size, 0);
    assert.deepEqual(await countTenantRows(db.owner, db.theirs), others);
  });

  it('a tenant that a row refers to is not deleted', async () => {
    await disable(db.theirs);

    assert.equal(await eraseTenant(db.owner, db.theirs), false);
  });

  it('the eraser reads no column but the tenant, and changes no row', async () => {
    const asEraser = (sql: string) =>
      db.owner.transaction(async (trx) => {
        await trx.raw('set local role quoting_eraser');
        return outcomeOf(trx, sql).catch(String);
      });

    const outcomes = await Promise.all(
      ['select email from users', `update users set name = 'x'`, 'select company_name from tenants'].map(asEraser),
    );

    assert.deepEqual(outcomes, [DENIED, DENIED, DENIED]);
  });

  const disable = (id: string) =>
    rowsOf(
      db.owner,
      `update tenants set disabled_at = now(), plan = 'FREE', plan_when_enabled = 'PRO' where id = ? returning id`,
      [id],
    );
});
