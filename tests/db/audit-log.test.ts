import assert from 'node:assert/strict';
import { outcomeOf, rowsOf } from './database.ts';
import { type TwoTenants, twoTenants } from './two-tenants.ts';

const DENIED = '42501';

describe('audit_logs', () => {
  let db: TwoTenants;
  before(async () => {
    db = await twoTenants();
  });

  it('gives the app role no UPDATE, DELETE or TRUNCATE', async () => {
    const granted = await rowsOf(
      db.owner,
      `select privilege_type from information_schema.role_table_grants
        where table_name = 'audit_logs' and grantee = 'quoting_app' order by 1`,
    );

    assert.deepEqual(granted, [{ privilege_type: 'INSERT' }, { privilege_type: 'SELECT' }]);
  });

  it('refuses a tenant that changes or deletes its own entries', async () => {
    const outcomes = [
      await db.asMe((trx) => outcomeOf(trx, `update audit_logs set action = 'x'`)),
      await db.asMe((trx) => outcomeOf(trx, 'delete from audit_logs')),
    ];

    assert.deepEqual(outcomes, [DENIED, DENIED]);
  });

  it('a trigger refuses UPDATE, DELETE and TRUNCATE to the owner of the table too', async () => {
    const outcomes = [
      await outcomeOf(db.owner, `update audit_logs set action = 'x' where tenant_id = ?`, [db.mine]),
      await outcomeOf(db.owner, 'delete from audit_logs where tenant_id = ?', [db.mine]),
      await outcomeOf(db.owner, 'truncate audit_logs'),
    ];

    assert.deepEqual(outcomes, [DENIED, DENIED, DENIED]);
  });

  it('says «audit_logs is append-only» to the owner', async () => {
    await assert.rejects(
      rowsOf(db.owner, 'delete from audit_logs where tenant_id = ?', [db.mine]),
      /audit_logs is append-only/,
    );
  });

  it('refuses to delete a user or tenant that has entries', async () => {
    const outcomes = await Promise.all([
      outcomeOf(db.owner, 'delete from users where tenant_id = ?', [db.mine]),
      outcomeOf(db.owner, 'delete from tenants where id = ?', [db.mine]),
    ]);

    assert.deepEqual(outcomes, ['23503', '23503']);
  });
});
