import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { connect } from '../../db/database.ts';
import { isMigrated, migrate, migrateDown, type MigrationUrls } from '../../db/migrate.ts';
import { rowsOf, throwAwayDatabase } from './database.ts';

describe('migrations', () => {
  let urls: MigrationUrls;
  let end: () => Promise<void>;
  before(async () => {
    ({ urls, end } = await throwAwayDatabase());
  });
  after(() => end());

  /** Tables, columns, constraints, indices, policies, grants, functions and triggers of the schema, as text. */
  async function schema(): Promise<readonly string[]> {
    const owner = connect({ url: urls.admin, pool: 1, applicationName: 'quoting-test' });
    const rows = await rowsOf<{ line: string }>(
      owner,
      `select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '') as line
         from information_schema.columns where table_schema = 'public'
       union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
         from pg_constraint where connamespace = 'public'::regnamespace
       union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
       union all select 'policy ' || tablename || ' ' || policyname || roles::text || coalesce(qual, '') || coalesce(with_check, '') from pg_policies
       union all select 'grant ' || grantee || ' ' || privilege_type || ' ' || table_name || '.' || column_name
         from information_schema.column_privileges where table_schema = 'public' and grantee like 'quoting%'
       union all select 'function ' || oid::regprocedure || ' ' || pg_get_userbyid(proowner) || coalesce(proacl::text, '')
         from pg_proc where pronamespace = 'public'::regnamespace and probin is null
       union all select 'trigger ' || tgrelid::regclass || ' ' || tgname from pg_trigger where not tgisinternal
       order by 1`,
    );
    await owner.destroy();
    return rows.map(({ line }) => line).filter((line) => !line.includes('knex_'));
  }

  it('all run on an empty database', async () => {
    const names = await migrate(urls);

    const files = await readdir(new URL('../../db/migrations/', import.meta.url));
    assert.deepEqual(
      names,
      files.toSorted().map((file) => file.replace(/\.ts$/, '')),
    );
  });

  it('do not run twice', async () => {
    assert.deepEqual(await migrate(urls), []);
  });

  it('leave nothing after rollback, and give the same schema when run again', async () => {
    const before = await schema();

    await migrateDown(urls.admin);
    const between = await schema();
    await migrate(urls);

    assert.deepEqual(between, []);
    assert.deepEqual(await schema(), before);
    assert.ok(before.length > 200);
  });

  it('tell the app role whether all of them have run', async () => {
    const app = connect({ url: urls.app, pool: 1, applicationName: 'quoting-test' });

    const whenUp = await isMigrated(app);
    await migrateDown(urls.admin);
    const whenDown = await isMigrated(app);

    await app.destroy();
    assert.deepEqual([whenUp, whenDown], [true, false]);
  });

  it('set the passwords of the URLs on the roles again', async () => {
    const renewed = new URL(urls.app);
    renewed.password = 'otra%20clave%27%3F';

    await migrate({ ...urls, app: renewed.href });

    const app = connect({ url: renewed.href, pool: 1, applicationName: 'quoting-test' });
    const rows = await rowsOf(app, 'select current_user as role');
    await app.destroy();
    assert.deepEqual(rows, [{ role: 'quoting_app' }]);
  });

  it('reject a URL of another role', async () => {
    await assert.rejects(migrate({ ...urls, app: urls.dispatcher }), /quoting_app logs in as another role/);
  });
});
