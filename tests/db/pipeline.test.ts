import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';
import {
  createPipelinedRead,
  createWithPipeline,
  type NamedStatement,
  type PipelinedRead,
  send,
  type WithPipeline,
} from '../../db/pipeline.ts';
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

describe('a pipelined read', () => {
  // The shared one has two businesses, on which others count.
  let db: SeparateDatabase;
  let read: PipelinedRead;
  before(async () => {
    db = await separateDatabase();
    read = createPipelinedRead(db.app);
  });
  after(() => db.stop());

  it('returns the rows of each statement in order, from one snapshot and under row-level security', async () => {
    const tenantId = await db.tenant();

    const [tenants, first, second] = await read(tenantId, [TENANTS, NOW, NOW]);

    assert.deepEqual(tenants, [{ id: tenantId }]);
    assert.deepEqual(first, second);
  });

  it('keeps many tenants apart on one pool that serves other transactions too', async () => {
    const tenants = await Promise.all(Array.from({ length: 20 }, () => db.tenant()));

    const seen = await Promise.all(
      tenants.flatMap((tenantId) => [
        read(tenantId, [TENANTS]).then(([rows]) => rows),
        db.withTenant(tenantId, (trx) => rowsOf(trx, 'select id from tenants')),
      ]),
    );

    assert.deepEqual(
      seen,
      tenants.flatMap((id) => [[{ id }], [{ id }]]),
    );
  });

  it('throws what the first failing statement threw, and leaves no transaction and no tenant on the connection', async () => {
    const tenantId = await db.tenant();

    const failures = await Promise.allSettled(
      Array.from({ length: 20 }, () => read(tenantId, [TENANTS, BROKEN, TENANTS])),
    );
    const after = await Promise.all(
      Array.from({ length: 20 }, () => rowsOf(db.app, `select count(*)::int as seen from tenants`)),
    );

    assert.deepEqual([...new Set(failures.map((one) => one.status === 'rejected' && one.reason.code))], ['22012']);
    assert.deepEqual(new Set(after.map(([row]) => JSON.stringify(row))), new Set(['{"seen":0}']));
  });

  it('refuses to write', async () => {
    await assert.rejects(read(await db.tenant(), [WRITE]), { code: '25006' });
  });

  it('refuses a tenant id that is none before it takes a connection', async () => {
    await assert.rejects(read(`x'; drop table quotes; --`, [TENANTS]), /not a tenant id/);
  });
});

describe('a pipelined transaction', () => {
  let db: SeparateDatabase;
  // One connection, to look at what it sends.
  let one: TestDatabase['app'];
  let withPipeline: WithPipeline;
  let nudges = 0;
  before(async () => {
    db = await separateDatabase();
    one = connect({ url: db.urls.app, pool: 1, applicationName: 'quoting-test' });
    withPipeline = createWithPipeline(one, () => (nudges += 1));
  });
  after(async () => {
    await one.destroy();
    await db.stop();
  });

  const nameOf = async (tenantId: string): Promise<unknown> => {
    const sql = 'select company_name as name from tenants where id = ?';
    const [row] = await rowsOf<{ name: string }>(db.owner, sql, [tenantId]);
    return row?.name;
  };

  async function onConnection<T>(look: (connection: Connection) => T): Promise<T> {
    // Knex types its client and connections as any.
    const connection = (await one.client.acquireConnection()) as Connection;
    await one.client.releaseConnection(connection);
    return look(connection);
  }

  it('leaves as one packet when its first statements are its last, as two when others come before', async () => {
    const tenantId = await db.tenant();
    const packets = await onConnection(({ connection: { stream } }) => countPackets(stream));

    const [tenants] = await withPipeline(tenantId, (tx) => tx.sendAndCommit([TENANTS, NOW]));
    const first = packets.count;
    await withPipeline(tenantId, async (tx) => {
      await tx.send([NOW]);
      await tx.sendAndCommit([TENANTS]);
    });

    assert.deepEqual(tenants, [{ id: tenantId }]);
    assert.deepEqual([first, packets.count - first], [1, 2]);
  });

  it('commits what was sent without a commit when its function returns', async () => {
    const tenantId = await db.tenant();

    await withPipeline(tenantId, (tx) => tx.send([WRITE]));

    assert.equal(await nameOf(tenantId), 'Otra');
  });

  it('sends nothing when its function sends nothing', async () => {
    const packets = await onConnection(({ connection: { stream } }) => countPackets(stream));

    assert.equal(await withPipeline(await db.tenant(), () => Promise.resolve(7)), 7);

    assert.equal(packets.count, 0);
  });

  it('is rolled back when its function throws, or a statement fails, last or not', async () => {
    const tenantId = await db.tenant();

    const thrown = withPipeline(tenantId, async (tx) => {
      await tx.send([WRITE]);
      throw new Error('on second thoughts');
    });
    await assert.rejects(thrown, /second thoughts/);
    await assert.rejects(
      withPipeline(tenantId, (tx) => tx.send([WRITE, BROKEN])),
      { code: '22012' },
    );
    const last = withPipeline(tenantId, async (tx) => {
      await tx.send([WRITE]);
      await tx.sendAndCommit([TENANTS, BROKEN]);
    });
    await assert.rejects(last, { code: '22012' });

    assert.equal(await nameOf(tenantId), 'Negocio');
    assert.deepEqual(await withPipeline(tenantId, (tx) => tx.sendAndCommit([TENANTS])), [[{ id: tenantId }]]);
  });

  it('sends neither its statements nor the commit when a name stands for another text', async () => {
    const tenantId = await db.tenant();
    const other = { ...TENANTS, text: 'select 1 as id' };

    const failing = withPipeline(tenantId, async (tx) => {
      await tx.send([WRITE, TENANTS]);
      await tx.sendAndCommit([other]);
    });

    await assert.rejects(failing, /two texts are named test-tenants/);
    assert.equal(await nameOf(tenantId), 'Negocio');
  });

  it('runs no statement after its end', async () => {
    const tenantId = await db.tenant();

    const again = await withPipeline(tenantId, async (tx) => {
      await tx.sendAndCommit([TENANTS]);
      return [await tx.send([WRITE]).catch(String), () => tx.sendAndCommit([WRITE])] as const;
    });

    assert.equal(again[0], 'Error: the transaction is over');
    await assert.rejects(again[1](), /the transaction is over/);
    assert.equal(await nameOf(tenantId), 'Negocio');
  });

  it('nudges the dispatchers after the commit of a statement that records an event, and only then', async () => {
    const tenantId = await db.tenant();
    nudges = 0;

    await withPipeline(tenantId, (tx) => tx.sendAndCommit([WRITE]));
    const failing = withPipeline(tenantId, (tx) => tx.sendAndCommit([{ ...WRITE, wakesDispatcher: true }, BROKEN]));
    await assert.rejects(failing, { code: '22012' });
    assert.equal(nudges, 0);
    await withPipeline(tenantId, (tx) => tx.sendAndCommit([{ ...WRITE, wakesDispatcher: true }]));

    assert.equal(nudges, 1);
  });
});

describe('statements that are sent in a transaction of withTenant', () => {
  let db: SeparateDatabase;
  // One connection, whose statements a test may refuse.
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

  it('belong to it and are undone with it', async () => {
    const tenantId = await db.tenant();

    await assert.rejects(
      withTenant(tenantId, async (trx) => {
        await send(trx, [WRITE, TENANTS]);
        await send(trx, [BROKEN]);
      }),
      { code: '22012' },
    );

    assert.deepEqual(await rowsOf(db.owner, 'select company_name as name from tenants where id = ?', [tenantId]), [
      { name: 'Negocio' },
    ]);
  });

  it('are refused once it is over, when its connection may be another tenant’s', async () => {
    let again = () => Promise.resolve<unknown>(undefined);
    await withTenant(await db.tenant(), async (trx) => {
      again = () => send(trx, [TENANTS]);
      await again();
    });

    await assert.rejects(again(), /the transaction is over/);
  });

  for (const beginning of ['BEGIN', 'SET LOCAL']) {
    it(`fail with the error of ${beginning}, and nothing is written`, async () => {
      const tenantId = await db.tenant();
      // Knex types its client and connections as any.
      const connection = (await one.client.acquireConnection()) as Connection;
      await one.client.releaseConnection(connection);
      const query = connection.query.bind(connection);
      connection.query = (statement, ...rest) => {
        const text = typeof statement === 'string' ? statement : statement.text;
        if (!text.startsWith(beginning)) return query(statement, ...rest);
        const error = new Error('it did not begin');
        const callback: unknown = rest.at(-1);
        if (typeof callback === 'function') return void callback(error);
        return Promise.reject(error);
      };
      const runs = [async () => [], (trx: TenantTransaction) => send(trx, [WRITE])];

      for (const run of runs) await assert.rejects(withTenant<unknown>(tenantId, run), /it did not begin/);

      connection.query = query;
      assert.deepEqual(await withTenant(tenantId, (trx) => rowsOf(trx, 'select company_name as name from tenants')), [
        { name: 'Negocio' },
      ]);
    });
  }
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
  query(statement: string | { readonly text: string }, ...rest: readonly unknown[]): unknown;
  readonly connection: { readonly stream: Duplex };
}

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
    await createPipelinedRead(one)(tenantId, [PLANNED]);

    await db.owner.raw('alter table planned alter n type numeric(5, 2)');

    assert.deepEqual(await createPipelinedRead(one)(tenantId, [PLANNED]), [[{ n: '1.00' }]]);
    assert.deepEqual(await createPipelinedRead(one)(tenantId, [PLANNED]), [[{ n: '1.00' }]]);
  });

  it('is prepared anew for a reading when something discarded it', async () => {
    const tenantId = newId();
    await createPipelinedRead(one)(tenantId, [NOW]);

    await one.raw('discard all');

    assert.equal((await createPipelinedRead(one)(tenantId, [NOW])).length, 1);
  });

  it('costs a writing transaction its work and its connection, so that the next one succeeds', async () => {
    const tenantId = newId();
    const read = () => createWithTenant(one, () => undefined)(tenantId, (trx) => send(trx, [NOW]));
    await read();

    await one.raw('discard all');

    await assert.rejects(read(), isStatementStale);
    assert.equal((await read()).length, 1);
  });
});
