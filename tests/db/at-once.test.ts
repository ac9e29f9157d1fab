import assert from 'node:assert/strict';
import { createReadAtOnce, type NamedStatement, type ReadAtOnce, sendAtOnce } from '../../db/at-once.ts';
import { connect } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { createWithTenant } from '../../db/with-tenant.ts';
import { isStatementStale } from '../../db/unavailable.ts';
import { rowsOf, type TestDatabase, testDatabase } from './database.ts';
import { type SeparateDatabase, separateDatabase } from './separate-database.ts';

const TENANTS: NamedStatement = { name: 'test-tenants', text: 'select id from tenants', values: [] };
const NOW: NamedStatement = { name: 'test-now', text: 'select now() as now', values: [] };
const BROKEN: NamedStatement = { name: 'test-broken', text: 'select 1 / $1::int as n', values: [0] };
const WRITE: NamedStatement = { name: 'test-write', text: `update tenants set company_name = 'Otra'`, values: [] };

describe('several statements in one round trip', () => {
  // The shared one has two businesses, on which others count.
  let db: SeparateDatabase;
  let readAtOnce: ReadAtOnce;
  before(async () => {
    db = await separateDatabase();
    readAtOnce = createReadAtOnce(db.app);
  });
  after(() => db.stop());

  it('answer in order, in one transaction, and under row-level security', async () => {
    const tenantId = await db.tenant();

    const [tenants, first, second] = await readAtOnce(tenantId, [TENANTS, NOW, NOW]);

    assert.deepEqual(tenants, [{ id: tenantId }]);
    assert.deepEqual(first, second);
  });

  it('keep many tenants apart on one pool, whatever else it serves', async () => {
    const tenants = await Promise.all(Array.from({ length: 20 }, () => db.tenant()));

    const seen = await Promise.all(
      tenants.flatMap((tenantId) => [
        readAtOnce(tenantId, [TENANTS]).then(([rows]) => rows),
        db.withTenant(tenantId, (trx) => rowsOf(trx, 'select id from tenants')),
      ]),
    );

    assert.deepEqual(
      seen,
      tenants.flatMap((id) => [[{ id }], [{ id }]]),
    );
  });

  it('throw what the first failing one threw, and leave no transaction and no tenant behind', async () => {
    const tenantId = await db.tenant();

    const failures = await Promise.allSettled(
      Array.from({ length: 20 }, () => readAtOnce(tenantId, [TENANTS, BROKEN, TENANTS])),
    );
    const after = await Promise.all(
      Array.from({ length: 20 }, () => rowsOf(db.app, `select count(*)::int as seen from tenants`)),
    );

    assert.deepEqual([...new Set(failures.map((one) => one.status === 'rejected' && one.reason.code))], ['22012']);
    assert.deepEqual(new Set(after.map(([row]) => JSON.stringify(row))), new Set(['{"seen":0}']));
  });

  it('write nothing when they only read', async () => {
    const tenantId = await db.tenant();

    await assert.rejects(readAtOnce(tenantId, [WRITE]), { code: '25006' });
  });

  it('refuse a tenant that is no id before they ask for a connection', async () => {
    await assert.rejects(readAtOnce(`x'; drop table quotes; --`, [TENANTS]), /not a tenant id/);
  });

  it('belong to the open transaction when they are sent in one, and are undone with it', async () => {
    const tenantId = await db.tenant();

    await assert.rejects(
      db.withTenant(tenantId, async (trx) => {
        await sendAtOnce(trx, [WRITE, TENANTS]);
        await sendAtOnce(trx, [BROKEN]);
      }),
      { code: '22012' },
    );

    assert.deepEqual(await rowsOf(db.owner, 'select company_name as name from tenants where id = ?', [tenantId]), [
      { name: 'Negocio' },
    ]);
  });

  it('do not run in a transaction that is over, whose connection may be another tenant’s by now', async () => {
    let again = () => Promise.resolve<unknown>(undefined);
    await db.withTenant(await db.tenant(), async (trx) => {
      again = () => sendAtOnce(trx, [TENANTS]);
      await again();
    });

    await assert.rejects(again(), /the transaction is over/);
  });
});

describe('a statement that a connection planned and the server has no more', () => {
  let db: TestDatabase;
  // One connection, so that each statement meets what the one before left behind.
  let one: TestDatabase['app'];
  before(async () => {
    db = await testDatabase();
    one = connect({ url: db.urls.app, pool: 1, applicationName: 'quoting-test' });
    await db.owner.raw(
      'create table planned (n integer); grant select on planned to quoting_app; insert into planned values (1)',
    );
  });
  after(async () => {
    await one.destroy();
    await db.owner.raw('drop table planned');
  });

  const PLANNED: NamedStatement = { name: 'test-planned', text: 'select n from planned', values: [] };

  it('is planned anew for a reading when a migration changed the type of what it answers', async () => {
    const tenantId = newId();
    await createReadAtOnce(one)(tenantId, [PLANNED]);

    await db.owner.raw('alter table planned alter n type numeric(5, 2)');

    assert.deepEqual(await createReadAtOnce(one)(tenantId, [PLANNED]), [[{ n: '1.00' }]]);
    assert.deepEqual(await createReadAtOnce(one)(tenantId, [PLANNED]), [[{ n: '1.00' }]]);
  });

  it('is prepared anew for a reading when something discarded it', async () => {
    const tenantId = newId();
    await createReadAtOnce(one)(tenantId, [NOW]);

    await one.raw('discard all');

    assert.equal((await createReadAtOnce(one)(tenantId, [NOW])).length, 1);
  });

  it('costs a writing transaction its work and its connection, so that the next one succeeds', async () => {
    const tenantId = newId();
    const read = () => createWithTenant(one, () => undefined)(tenantId, (trx) => sendAtOnce(trx, [NOW]));
    await read();

    await one.raw('discard all');

    await assert.rejects(read(), isStatementStale);
    assert.equal((await read()).length, 1);
  });
});
