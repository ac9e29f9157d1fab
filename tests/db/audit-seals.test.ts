import assert from 'node:assert/strict';
import { Client as PostgresClient } from 'pg';
import type { Knex } from 'knex';
import { newId } from '../../db/ids.ts';
import { countAuditLog } from '../../db/reads/count-audit-log.ts';
import { verifyAudit, type Verdict } from '../../db/reads/verify-audit.ts';
import type { WithTenant } from '../../db/with-tenant.ts';
import { ChainBroken, sealNextRange } from '../../db/writes/seal-audit.ts';
import { outcomeOf, rowsOf } from './database.ts';
import { type SeparateDatabase, separateDatabase } from './separate-database.ts';

const DENIED = '42501';

describe('audit seals', () => {
  let db: SeparateDatabase;
  let withTenant: WithTenant;
  before(async () => {
    db = await separateDatabase();
    ({ withTenant } = db);
  });
  after(() => db.stop());

  const verify = (tenantId: string, head?: string): Promise<Verdict> =>
    withTenant(tenantId, (trx) => verifyAudit(trx, head));
  const seal = (tenantId: string, marginS?: number) =>
    sealNextRange({ withTenant, dispatcher: db.dispatcher }, tenantId, marginS);

  /** An entry as the service writes it, at that time. */
  async function entry(tenantId: string, at: string, id = newId()): Promise<string> {
    await withTenant(tenantId, (trx) =>
      trx.raw(
        `insert into audit_logs (id, tenant_id, actor, action, entity, entity_id, metadata, created_at)
           values (?, ?, 'user', 'update', 'quote', ?, '{"before":{"nota":"a"}}', ?)`,
        [id, tenantId, newId(), at],
      ),
    );
    return id;
  }

  /** Three seals of three entries each, in three days. */
  async function sealedTenant(): Promise<{ tenantId: string; ids: readonly string[] }> {
    const tenantId = await db.tenant();
    const ids: string[] = [];
    for (const day of ['01', '02', '03']) {
      for (const minute of ['10', '20', '30'])
        ids.push(await entry(tenantId, `2026-01-${day}T10:${minute}:00.000001Z`));
      assert.equal(await seal(tenantId, secondsSince(`2026-01-${day}T12:00:00Z`)), 3);
    }
    return { tenantId, ids };
  }
  const secondsSince = (time: string) => Math.floor((Date.now() - Date.parse(time)) / 1000);

  /** What a superuser can do who takes the triggers away first. */
  async function asIntruder(work: (trx: Knex.Transaction) => Promise<unknown>): Promise<void> {
    await db.owner.transaction(async (trx) => {
      for (const table of ['audit_logs', 'audit_seals']) await trx.raw(`alter table ${table} disable trigger user`);
      await work(trx);
      for (const table of ['audit_logs', 'audit_seals']) await trx.raw(`alter table ${table} enable trigger user`);
    });
  }

  it('count their entries: the log has nine entries, sealed or not, and one more', async () => {
    const { tenantId } = await sealedTenant();
    const unsealed = await db.tenant();
    await entry(unsealed, '2026-01-01T10:00:00Z');
    await entry(tenantId, new Date().toISOString());

    const counts = await Promise.all(
      [tenantId, unsealed, await db.tenant()].map((id) => withTenant(id, countAuditLog)),
    );

    assert.deepEqual(counts, [10, 1, 0]);
  });

  it('verify unchanged entries, period by period, and return the newest seal', async () => {
    const { tenantId } = await sealedTenant();
    await entry(tenantId, new Date().toISOString());

    const verdict = await verify(tenantId);

    const [newest] = await rowsOf<{ hash: string }>(
      db.owner,
      'select hash from audit_seals where tenant_id = ? order by number desc limit 1',
      [tenantId],
    );
    assert.deepEqual(verdict, { entries: 9, seals: 3, head: newest?.hash, unsealed: 1 });
  });

  it('cover each entry once when a period is full', async () => {
    const tenantId = await db.tenant();
    await withTenant(tenantId, (trx) =>
      trx.raw(
        `insert into audit_logs (id, tenant_id, actor, action, entity, entity_id, metadata, created_at)
           select 'e' || n, ?, 'user', 'update', 'quote', 'q', '{}', timestamptz '2026-01-01' + n / 3 * interval '1 second'
             from generate_series(1, 10001) n`,
        [tenantId],
      ),
    );

    const sealed = [await seal(tenantId), await seal(tenantId), await seal(tenantId)];

    assert.deepEqual(sealed, [10_001, 0, 0]);
    const { entries, broken } = await verify(tenantId);
    assert.deepEqual({ entries, broken }, { entries: 10_001, broken: undefined });
  }).timeout(30_000);

  it('seal old entries only, and none while an open transaction may still write an older one', async () => {
    const tenantId = await db.tenant();
    await entry(tenantId, new Date(Date.now() - 20_000).toISOString());
    const young = await seal(tenantId);
    const open = new PostgresClient({ connectionString: db.urls.app });
    await open.connect();
    await open.query('begin');
    await open.query("select set_config('app.tenant_id', $1, true)", [tenantId]);
    // A Date has no microseconds: cut off, it could lie before the transaction's beginning.
    await entry(tenantId, new Date(Date.now() + 2).toISOString());
    // Without a margin only the open transaction holds the later entry back.
    const before = await seal(tenantId, 0);
    await open.query(
      `insert into audit_logs (id, tenant_id, actor, action, entity, entity_id, metadata)
         values ($1, $2, 'user', 'update', 'quote', 'q', '{}')`,
      [newId(), tenantId],
    );
    const meanwhile = await seal(tenantId, 0);
    await open.query('commit');
    await open.end();
    const after = await seal(tenantId, 0);

    assert.deepEqual([young, before, meanwhile, after], [0, 1, 0, 2]);
    assert.equal((await verify(tenantId)).broken, undefined);
  });

  it('are created once by two concurrent processes', async () => {
    const tenantId = await db.tenant();
    await entry(tenantId, '2026-01-01T10:00:00Z');

    const sealed = await Promise.all([seal(tenantId), seal(tenantId), seal(tenantId)]);

    assert.equal(
      sealed.reduce((sum, n) => sum + n, 0),
      1,
    );
    assert.equal((await verify(tenantId)).seals, 1);
  });

  const tampered = async (
    work: (trx: Knex.Transaction, tenantId: string, ids: readonly string[]) => Promise<unknown>,
  ) => {
    const { tenantId, ids } = await sealedTenant();
    await asIntruder((trx) => work(trx, tenantId, ids));
    const { broken, seals } = await verify(tenantId);
    return { damage: broken?.damage, number: broken?.number, seals };
  };

  it('detect one changed byte of an entry', async () => {
    const found = await tampered((trx, _tenant, ids) =>
      trx.raw(`update audit_logs set metadata = '{"before":{"nota":"b"}}' where id = ?`, [ids[4] ?? '']),
    );

    assert.deepEqual(found, { damage: 'entries_changed', number: 2, seals: 1 });
  });

  for (const column of ['action', 'actor', 'entity', 'entity_id', 'request_id', 'id']) {
    it(`detect a changed ${column}`, async () => {
      const found = await tampered((trx, _tenant, ids) =>
        trx.raw(`update audit_logs set ${column} = 'x' || substr(id, 2) where id = ?`, [ids[4] ?? '']),
      );

      assert.deepEqual(found, { damage: 'entries_changed', number: 2, seals: 1 });
    });
  }

  it('detect a changed user_id', async () => {
    const found = await tampered(async (trx, tenantId, ids) => {
      const userId = newId();
      await trx.raw(`insert into users (id, tenant_id, email, name, role) values (?, ?, ?, 'Ana', 'OWNER')`, [
        userId,
        tenantId,
        `${userId}@negocio.test`,
      ]);
      await trx.raw('update audit_logs set user_id = ? where id = ?', [userId, ids[4] ?? '']);
    });

    assert.deepEqual(found, { damage: 'entries_changed', number: 2, seals: 1 });
  });

  it('detect an entry moved by a microsecond', async () => {
    const found = await tampered((trx, _tenant, ids) =>
      trx.raw(`update audit_logs set created_at = created_at + interval '1 microsecond' where id = ?`, [ids[4] ?? '']),
    );

    assert.deepEqual(found, { damage: 'entries_changed', number: 2, seals: 1 });
  });

  it('detect a deleted entry', async () => {
    const found = await tampered((trx, _tenant, ids) => trx.raw('delete from audit_logs where id = ?', [ids[8] ?? '']));

    assert.deepEqual(found, { damage: 'entries_missing', number: 3, seals: 2 });
  });

  it('detect an entry inserted into a sealed period', async () => {
    const { tenantId } = await sealedTenant();
    await entry(tenantId, '2026-01-01T10:15:00Z');

    const { broken } = await verify(tenantId);

    assert.deepEqual([broken?.damage, broken?.number], ['entries_added', 1]);
  });

  it('detect two swapped entries', async () => {
    const found = await tampered(async (trx, _tenant, ids) => {
      const [one = '', two = ''] = ids;
      await trx.raw(
        `update audit_logs a set created_at = b.created_at from audit_logs b
          where (a.id = ? and b.id = ?) or (a.id = ? and b.id = ?)`,
        [one, two, two, one],
      );
    });

    assert.deepEqual(found, { damage: 'entries_changed', number: 1, seals: 0 });
  });

  for (const number of [1, 2, 3]) {
    it(`detect the missing seal ${number} of 3`, async () => {
      const found = await tampered((trx, tenantId) =>
        trx.raw('delete from audit_seals where tenant_id = ? and number = ?', [tenantId, number]),
      );

      assert.deepEqual(found, { damage: 'seal_missing', number, seals: number - 1 });
    });
  }

  it('detect that all are missing', async () => {
    const found = await tampered((trx, tenantId) => trx.raw('delete from audit_seals where tenant_id = ?', [tenantId]));

    assert.deepEqual(found, { damage: 'seal_missing', number: 1, seals: 0 });
  });

  it('are not continued after a missing end, which the next seal would hide', async () => {
    const { tenantId } = await sealedTenant();
    await asIntruder((trx) => trx.raw('delete from audit_seals where tenant_id = ? and number = 3', [tenantId]));

    await assert.rejects(seal(tenantId), ChainBroken);
  });

  it('detect a completely rewritten chain by a hash noted earlier', async () => {
    const { tenantId, ids } = await sealedTenant();
    const { head } = await verify(tenantId);
    await asIntruder(async (trx) => {
      await trx.raw('delete from audit_logs where id = ?', [ids[0] ?? '']);
      await trx.raw('delete from audit_seals where tenant_id = ?', [tenantId]);
      await trx.raw('delete from audit_heads where tenant_id = ?', [tenantId]);
    });
    await seal(tenantId);

    const verdicts = [await verify(tenantId), await verify(tenantId, head)];

    assert.deepEqual(
      verdicts.map(({ broken }) => broken?.damage),
      [undefined, 'head_unknown'],
    );
  });

  it('verify although entries and seals were added after the hash was noted', async () => {
    const { tenantId } = await sealedTenant();
    const { head } = await verify(tenantId);
    await entry(tenantId, '2026-02-01T10:00:00Z');
    await seal(tenantId);

    assert.equal((await verify(tenantId, head)).broken, undefined);
  });

  describe('in the database', () => {
    let tenantId: string;
    before(async () => ({ tenantId } = await sealedTenant()));

    const asTenant = (sql: string) => withTenant(tenantId, (trx) => outcomeOf(trx, sql)).catch((error: Error) => error);
    const FORGED = `insert into audit_seals (tenant_id, number, until_at, entries, previous_hash, hash)
      select tenant_id, 4, now(), 1, hash, hash from audit_seals where number = 3`;

    it('cannot be written, changed or deleted by the app role, nor can their end', async () => {
      const outcomes = [
        await asTenant(FORGED),
        await asTenant("update audit_seals set hash = repeat('0', 64)"),
        await asTenant('delete from audit_seals'),
        await asTenant("update audit_heads set hash = repeat('0', 64)"),
        await asTenant('delete from audit_heads'),
      ];

      assert.deepEqual(outcomes, [DENIED, DENIED, DENIED, DENIED, DENIED]);
    });

    it('cannot be changed or deleted by the dispatcher role, which cannot even read entries', async () => {
      const outcomes = [
        await outcomeOf(db.dispatcher, "update audit_seals set hash = repeat('0', 64)"),
        await outcomeOf(db.dispatcher, 'delete from audit_seals'),
        await outcomeOf(db.dispatcher, 'delete from audit_heads'),
        await outcomeOf(db.dispatcher, 'select id from audit_logs'),
        await outcomeOf(db.dispatcher, "update audit_logs set action = 'x'"),
        await outcomeOf(db.dispatcher, 'delete from audit_logs'),
      ];

      assert.deepEqual(outcomes, [DENIED, DENIED, DENIED, DENIED, DENIED, DENIED]);
    });

    it('cannot be changed, deleted or truncated by the owner of the table, because of a trigger', async () => {
      const outcomes = [
        await outcomeOf(db.owner, 'update audit_seals set number = number where tenant_id = ?', [tenantId]),
        await outcomeOf(db.owner, 'delete from audit_seals where tenant_id = ?', [tenantId]),
        await outcomeOf(db.owner, 'truncate audit_seals'),
      ];

      assert.deepEqual(outcomes, [DENIED, DENIED, DENIED]);
    });

    it('are visible to their own business only', async () => {
      const other = await db.tenant();

      const rows = await withTenant(other, (trx) => trx.raw<{ rows: object[] }>('select * from audit_seals'));

      assert.deepEqual(rows.rows, []);
    });
  });
});
