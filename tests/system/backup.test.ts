import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { seed } from '../../dev/seed.ts';
import { document } from '../docs/documents.ts';
import { emptyServer, postgresPrograms, type Server } from './postgres-programs.ts';

const OWNER = `create role quoting_owner login createrole nosuperuser password 'secreto'`;
const urlsOf = ({ url }: Server) => ({
  admin: url('quoting', 'quoting_owner'),
  app: url('quoting', 'quoting_app'),
  dispatcher: url('quoting', 'quoting_dispatcher'),
});

/** How many rows each table has, as the superuser sees them, and which tables have forced row-level security. */
async function contentOf({ query }: Server): Promise<object> {
  const tables = await query(
    `select relname as name, relforcerowsecurity as forced from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
    'quoting',
  );
  const counts = await Promise.all(
    tables.map(async ({ name, forced }) => {
      const [row] = await query(`select count(*)::int as rows from "${String(name)}"`, 'quoting');
      return [String(name), { forced, rows: row?.['rows'] }] as const;
    }),
  );
  return Object.fromEntries(counts);
}

describe('backup and restore, as docs/operations.md describes them', () => {
  it('restore every row into an empty server, under forced row-level security, and the service works on it', async () => {
    const bin = postgresPrograms();
    const folder = mkdtempSync(join(tmpdir(), 'quoting-dump-'));
    const [dump = '', recreate = '', restore = ''] = document('docs/operations.md')
      .blocks.filter(({ language, text }) => language === 'sh' && /pg_dump|createdb|pg_restore/.test(text))
      .map(({ text }) => text);
    const shell = (script: string, env: Record<string, string>) => {
      const { status, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, ...env },
      });
      assert.equal(status, 0, stderr);
    };
    await using old = await emptyServer(bin);
    await using restored = await emptyServer(bin);
    for (const server of [old, restored]) {
      await server.query(OWNER);
      await server.query('create database quoting owner quoting_owner');
      await migrate(urlsOf(server));
    }
    const keys = { ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}` };
    const demo = await seed({ ...keys, DATABASE_URL: urlsOf(old).app });

    shell(dump, { DATABASE_ADMIN_URL: urlsOf(old).admin });
    const admin = new URL(restored.url('postgres'));
    shell(recreate, { PGHOST: admin.hostname, PGPORT: admin.port, PGUSER: 'postgres' });
    shell(restore, { RESTORE_URL: restored.url('quoting') });

    const before = await contentOf(old);
    assert.deepEqual(await contentOf(restored), before);
    assert.match(JSON.stringify(before), /"clients":\{"forced":true,"rows":8\}/);
    // It finds the example data under the app role and its policies, and so inserts none.
    assert.deepEqual(await seed({ ...keys, DATABASE_URL: urlsOf(restored).app }), demo);
    assert.deepEqual(await migrate(urlsOf(restored)), []);
    assert.deepEqual(await contentOf(restored), before);
    rmSync(folder, { recursive: true });
  });
});
