import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';
import {
  asOne,
  createReadAtOnce,
  type NamedStatement,
  type ReadAtOnce,
  sendAtOnce,
  sendLast,
  sendWithCommit,
} from '../../db/at-once.ts';
import { connect } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { createWithTenant, type TenantTransaction } from '../../db/with-tenant.ts';
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

  it('return results in order, in one transaction, under row-level security', async () => {
    const tenantId = await db.tenant();

    const [tenants, first, second] = await readAtOnce(tenantId, [TENANTS, NOW, NOW]);

    assert.deepEqual(tenants, [{ id: tenantId }]);
    assert.deepEqual(first, second);
  });

  it('keep many tenants apart on one shared pool', async () => {
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

  it('throw the error of the first failing one, and leave no transaction and no tenant set', async () => {
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

  it('reject an invalid tenant id before acquiring a connection', async () => {
    await assert.rejects(readAtOnce(`x'; drop table quotes; --`, [TENANTS]), /not a tenant id/);
  });

  it('run in the open transaction, and are rolled back with it', async () => {
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

  it('commit the transaction when sent last, and nothing runs in it afterwards', async () => {
    const tenantId = await db.tenant();
    const after: unknown[] = [];

    const [, seen] = await db.withTenant(tenantId, async (trx) => {
      const rows = await sendLast(trx, [WRITE, TENANTS]);
      after.push(...(await rowsOf(db.owner, 'select company_name as name from tenants where id = ?', [tenantId])));
      after.push(await sendAtOnce(trx, [TENANTS]).catch(String), await sendLast(trx, [TENANTS]).catch(String));
      return rows;
    });

    assert.deepEqual(seen, [{ id: tenantId }]);
    assert.deepEqual(after, [{ name: 'Otra' }, ...Array(2).fill('Error: the transaction is over')]);
  });

  it('send nothing, not even the commit, when a name is used for another text', async () => {
    const tenantId = await db.tenant();
    const other = { ...TENANTS, text: 'select 1 as id' };

    const failing = db.withTenant(tenantId, (trx) => sendLast(trx, [WRITE, TENANTS, other]));

    await assert.rejects(failing, /two texts are named test-tenants/);
    assert.throws(() => asOne('test-two', [WRITE]) && asOne('test-two', [BROKEN]), /test-two are other statements/);
    assert.deepEqual(await rowsOf(db.owner, 'select company_name as name from tenants where id = ?', [tenantId]), [
      { name: 'Negocio' },
    ]);
  });

  it('roll back the transaction when one of the last ones fails', async () => {
    const tenantId = await db.tenant();

    const failing = db.withTenant(tenantId, async (trx) => {
      await sendAtOnce(trx, [WRITE]);
      await sendLast(trx, [TENANTS, BROKEN]);
    });

    await assert.rejects(failing, { code: '22012' });
    assert.deepEqual(await rowsOf(db.owner, 'select company_name as name from tenants where id = ?', [tenantId]), [
      { name: 'Negocio' },
    ]);
    assert.deepEqual(await db.withTenant(tenantId, (trx) => sendLast(trx, [TENANTS])), [[{ id: tenantId }]]);
  });

  it('write as one, each with its own values, all or nothing', async () => {
    const [tenantId, clientId] = [await db.tenant(), newId()];
    const client = (name: string): NamedStatement => ({
      name: 'test-client',
      text: 'insert into clients (tenant_id, id, contact_name) values ($1, $2, $3)',
      values: [tenantId, clientId, name],
    });
    const count = (number: number): NamedStatement => ({
      name: 'test-counter',
      text: 'insert into quote_counters (tenant_id, last_number) values ($2, $1::int) on conflict (tenant_id) do update set last_number = $1::int',
      values: [number, tenantId],
    });
    const whole = (name: string, number: number) => asOne('test-whole', [client(name), count(number), WRITE]);

    await db.withTenant(tenantId, (trx) => sendAtOnce(trx, [whole('Laura', 41)]));

    const look = () =>
      rowsOf(
        db.owner,
        `select c.contact_name as client, n.last_number as number, t.company_name as name
           from tenants t join quote_counters n on n.tenant_id = t.id join clients c on c.tenant_id = t.id where t.id = ?`,
        [tenantId],
      );
    assert.deepEqual(await look(), [{ client: 'Laura', number: 41, name: 'Otra' }]);
    const again = db.withTenant(tenantId, (trx) => sendAtOnce(trx, [whole('Diana', 42)]));
    await assert.rejects(again, { code: '23505' });
    assert.deepEqual(await look(), [{ client: 'Laura', number: 41, name: 'Otra' }]);
  });

  it('do not run in a finished transaction, whose connection may belong to another tenant', async () => {
    let again = () => Promise.resolve<unknown>(undefined);
    let later: () => void = () => assert.fail('it was not given');
    await db.withTenant(await db.tenant(), async (trx) => {
      again = () => sendAtOnce(trx, [TENANTS]);
      await again();
      later = () => sendWithCommit(trx, [WRITE]);
    });

    await assert.rejects(again(), /the transaction is over/);
    assert.throws(later, /the transaction is over/);
  });
});

describe('a transaction of a tenant', () => {
  let db: SeparateDatabase;
  // One connection, to look at what it sends.
  let one: TestDatabase['app'];
  let withTenant: ReturnType<typeof createWithTenant>;
  before(async () => {
    db = await separateDatabase();
    one = connect({ url: db.urls.app, pool: 1, applicationName: 'quoting-test' });
    withTenant = createWithTenant(one, () => undefined);
  });
  after(async () => {
    await one.destroy();
    await db.stop();
  });

  async function onConnection<T>(look: (connection: Connection) => T): Promise<T> {
    // Knex types its client and connections as any.
    const connection = (await one.client.acquireConnection()) as Connection;
    await one.client.releaseConnection(connection);
    return look(connection);
  }

  it('leaves as one packet when its first statements are its last, as two when there are others before', async () => {
    const tenantId = await db.tenant();
    const packets = await onConnection(({ connection: { stream } }) => countPackets(stream));

    await withTenant(tenantId, (trx) => sendLast(trx, [TENANTS, NOW]));
    const first = packets.count;
    await withTenant(tenantId, async (trx) => {
      await trx.raw('select 1');
      await sendLast(trx, [TENANTS]);
    });

    assert.deepEqual([first, packets.count - first], [1, 2]);
  });

  it('takes along with its commit what was left for it, and fails by it', async () => {
    const tenantId = await db.tenant();
    const nameOf = () => rowsOf(db.owner, 'select company_name as name from tenants where id = ?', [tenantId]);

    const inside = await withTenant(tenantId, async (trx) => {
      sendWithCommit(trx, [WRITE]);
      return rowsOf(trx, 'select company_name as name from tenants');
    });

    assert.deepEqual([inside, await nameOf()], [[{ name: 'Negocio' }], [{ name: 'Otra' }]]);
    const failing = withTenant(tenantId, async (trx) => {
      await trx.raw(`update tenants set company_name = 'Tercera'`);
      sendWithCommit(trx, [TENANTS, BROKEN]);
    });
    await assert.rejects(failing, { code: '22012' });
    const refused = withTenant(tenantId, async (trx) => {
      sendWithCommit(trx, [WRITE]);
      throw new Error('on second thoughts');
    });
    await assert.rejects(refused, /second thoughts/);
    assert.deepEqual(await withTenant(tenantId, (trx) => sendAtOnce(trx, [TENANTS])), [[{ id: tenantId }]]);
    assert.deepEqual(await nameOf(), [{ name: 'Otra' }]);
  });

  it('fails completely when it could not begin, even if no statement failed', async () => {
    const tenantId = await db.tenant();
    const repair = await onConnection((connection) => {
      const query = connection.query.bind(connection);
      connection.query = (statement, ...rest) =>
        typeof statement === 'string' && statement.startsWith('BEGIN')
          ? Promise.reject(new Error('it did not begin'))
          : query(statement, ...rest);
      return () => (connection.query = query);
    });
    const runs = [
      async () => [],
      (trx: TenantTransaction) => sendAtOnce(trx, [TENANTS]),
      (trx: TenantTransaction) => sendLast(trx, [WRITE]),
    ];

    for (const run of runs) await assert.rejects(withTenant<unknown>(tenantId, run), /it did not begin/);

    repair();
    assert.deepEqual(await withTenant(tenantId, (trx) => rowsOf(trx, 'select company_name as name from tenants')), [
      { name: 'Negocio' },
    ]);
  });
});

/** Counts what a socket hands to the system from now on. */
function countPackets(stream: Duplex): { count: number } {
  const sent = { count: 0 };
  for (const way of ['_write', '_writev'] as const) {
    const write: unknown = stream[way]?.bind(stream);
    assert.ok(typeof write === 'function');
    Object.assign(stream, { [way]: (...given: unknown[]) => ((sent.count += 1), Reflect.apply(write, stream, given)) });
  }
  return sent;
}

interface Connection {
  query(statement: unknown, ...rest: readonly unknown[]): Promise<unknown>;
  readonly connection: { readonly stream: Duplex };
}

describe('a prepared statement that the server has discarded', () => {
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

  it('is prepared again for a read when a migration changed its result type', async () => {
    const tenantId = newId();
    await createReadAtOnce(one)(tenantId, [PLANNED]);

    await db.owner.raw('alter table planned alter n type numeric(5, 2)');

    assert.deepEqual(await createReadAtOnce(one)(tenantId, [PLANNED]), [[{ n: '1.00' }]]);
    assert.deepEqual(await createReadAtOnce(one)(tenantId, [PLANNED]), [[{ n: '1.00' }]]);
  });

  it('is prepared again for a read when it was discarded', async () => {
    const tenantId = newId();
    await createReadAtOnce(one)(tenantId, [NOW]);

    await one.raw('discard all');

    assert.equal((await createReadAtOnce(one)(tenantId, [NOW])).length, 1);
  });

  it('rolls back a writing transaction and closes its connection, so the next one succeeds', async () => {
    const tenantId = newId();
    const read = () => createWithTenant(one, () => undefined)(tenantId, (trx) => sendAtOnce(trx, [NOW]));
    await read();

    await one.raw('discard all');

    await assert.rejects(read(), isStatementStale);
    assert.equal((await read()).length, 1);
  });
});
