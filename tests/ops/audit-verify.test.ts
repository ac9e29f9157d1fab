import assert from 'node:assert/strict';
import { sealAuditLogs } from '../../activities/housekeeping/audit-seals.ts';
import { createLog } from '../../adapters/log.ts';
import { createWorkerMetrics } from '../../adapters/metrics/metrics.ts';
import { sealNextRange } from '../../db/writes/seal-audit.ts';
import { rowsOf } from '../db/database.ts';
import { newId } from '../../db/ids.ts';
import { type SeparateDatabase, separateDatabase } from '../db/separate-database.ts';
import { command } from './commands.ts';

describe('audit verify', () => {
  let db: SeparateDatabase;
  let env: Readonly<Record<string, string>>;
  /** In order of their slugs; each with two sealed entries. */
  let tenants: readonly { readonly id: string; readonly slug: string; readonly entry: string }[];

  before(async () => {
    db = await separateDatabase();
    env = { DATABASE_URL: db.urls.app, DATABASE_DISPATCHER_URL: db.urls.dispatcher };
    const made = await Promise.all([1, 2].map(() => tenant()));
    tenants = made.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  });
  after(() => db.stop());

  async function tenant() {
    const id = await db.tenant();
    const entry = newId();
    for (const one of [entry, newId()]) {
      await rowsOf(
        db.owner,
        `insert into audit_logs (id, tenant_id, actor, action, entity, entity_id, metadata, created_at)
           values (?, ?, 'user', 'update', 'quote', 'q', '{"a":1}', now() - interval '1 hour')`,
        [one, id],
      );
    }
    await sealNextRange({ withTenant: db.withTenant, dispatcher: db.dispatcher }, id);
    return { id, slug: `t-${id.slice(-8)}`, entry };
  }

  const lines = (out: string) =>
    out
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));

  it('prints a line for each business, with its entries, seals and newest hash, and ends well when all hold', async () => {
    const { code, out, complaint } = await command(env, 'audit', 'verify');

    assert.deepEqual([code, complaint], [0, '']);
    const heads = await rowsOf<{ hash: string }>(
      db.owner,
      'select hash from audit_heads join tenants on id = tenant_id order by slug',
    );
    assert.deepEqual(
      lines(out),
      tenants.map(({ slug }, i) => [slug, 'ok', '2', '1', heads[i]?.hash, '0']),
    );
  });

  it('takes one business by slug or id, and a hash that was printed before', async () => {
    const [one] = tenants;
    const [[, , , , head = '']] = lines((await command(env, 'audit', 'verify', one?.slug ?? '')).out) as [string[]];

    const known = await command(env, 'audit', 'verify', one?.id ?? '', head);
    const unknown = await command(env, 'audit', 'verify', one?.id ?? '', 'f'.repeat(64));

    assert.deepEqual([known.code, lines(known.out).length], [0, 1]);
    assert.equal(unknown.code, 1);
    assert.match(unknown.out, /\tROTO\t.*la cadena no pasa por el sello dado: se rehízo$/m);
  });

  it('ends with 1 and names the span and what is wrong with it, when an entry was changed', async () => {
    const broken = tenants[1];
    await db.owner.raw('alter table audit_logs disable trigger user');
    await rowsOf(db.owner, `update audit_logs set metadata = '{"a":2}' where id = ?`, [broken?.entry ?? '']);

    const { code, out, complaint } = await command(env, 'audit', 'verify');

    assert.deepEqual([code, complaint], [1, 'La bitácora de 1 negocio está rota.\n']);
    const [first = [], second = []] = lines(out);
    assert.equal(first[1], 'ok');
    assert.deepEqual(second.slice(0, 4), [broken?.slug, 'ROTO', '0', '0']);
    assert.match(second.at(-1) ?? '', /^sello 1, de -infinity a 20.*Z: hay entradas cambiadas o cambiadas de orden$/);
  });

  it('ends with 1 for a business that is not there, and with 2 for words that mean nothing', async () => {
    const missing = await command(env, 'audit', 'verify', 't-nohay000');
    const wrong = await command(env, 'audit', 'verify', 't-nohay000', 'no-es-un-hash');

    assert.deepEqual([missing.code, wrong.code], [1, 2]);
    assert.match(missing.complaint, /No hay un negocio con el slug o id t-nohay000/);
    assert.match(wrong.complaint, /uso: npm run quoting --\s+audit verify/);
  });

  it('is not all that notices: the sealing chore counts a business whose newest seal was taken away', async () => {
    const metrics = createWorkerMetrics();
    const deps = {
      withTenant: db.withTenant,
      dispatcher: db.dispatcher,
      log: createLog({ level: 'silent', name: 'test' }),
      metrics,
    };
    const broken = async () => (await metrics.auditChainsBroken.get()).values[0]?.value;
    await sealAuditLogs(deps, '');
    const before = await broken();
    await db.owner.raw('alter table audit_seals disable trigger user');
    await rowsOf(db.owner, 'delete from audit_seals where tenant_id = ?', [tenants[0]?.id ?? '']);

    await sealAuditLogs(deps, '');

    assert.deepEqual([before, await broken()], [0, 1]);
  });
});
