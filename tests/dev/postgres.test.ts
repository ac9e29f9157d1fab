import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../db/migrate.ts';
import { postgresTemplate } from '../../dev/postgres-template.ts';
import { startPostgres } from '../../dev/postgres.ts';
import { waitUntilGone } from '../../dev/process-table.ts';
import { eventually } from '../eventually.ts';
import { continueProcess, pauseProcess } from '../journey/paused.ts';
import { makeDataFolder, removeFolder } from './data-folder.ts';
import { query } from './query.ts';

describe('dev/postgres.ts', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await makeDataFolder();
  });

  afterEach(() => removeFolder(dataDir));

  it('creates a database whose owner is no superuser and may create roles', async () => {
    const postgres = await startPostgres({ dataDir, fsync: false });

    const rows = await query(
      postgres.adminUrl,
      `select current_user, current_database(), rolsuper, rolbypassrls, rolcreaterole,
              pg_get_userbyid(datdba) as owner
       from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    );
    await postgres.stop();

    assert.deepEqual(rows, [
      {
        current_user: 'quoting_owner',
        current_database: 'quoting',
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: true,
        owner: 'quoting_owner',
      },
    ]);
  });

  it('lets the owner create a table, a role and the extensions pg_trgm and unaccent', async () => {
    const postgres = await startPostgres({ dataDir, fsync: false });

    await query(
      postgres.adminUrl,
      `create table t (id int); create role quoting_app login; create extension pg_trgm; create extension unaccent`,
    );
    const tables = await query(postgres.adminUrl, `select tableowner from pg_tables where tablename = 't'`);
    await postgres.stop();

    assert.deepEqual(tables, [{ tableowner: 'quoting_owner' }]);
  });

  describe('on a copy of the template', () => {
    it('has the schema of the migrations, no tenant, and its own passwords', async () => {
      const postgres = await startPostgres({ dataDir, fsync: false, template: await postgresTemplate() });

      const applied = await migrate({
        admin: postgres.adminUrl,
        app: postgres.appUrl,
        dispatcher: postgres.dispatcherUrl,
      });
      const [rows] = await query<{ tenants: string }>(postgres.adminUrl, 'select count(*) as tenants from tenants');
      const [app] = await query<{ role: string }>(postgres.appUrl, 'select current_user as role');
      const [dispatcher] = await query<{ role: string }>(postgres.dispatcherUrl, 'select current_user as role');
      await postgres.stop();

      assert.deepEqual(applied, []);
      assert.deepEqual([rows?.tenants, app?.role, dispatcher?.role], ['0', 'quoting_app', 'quoting_dispatcher']);
      assert.equal(postgres.isNew, true);
    });

    it('renames the dispatcher role of a former version, with its grants', async () => {
      const postgres = await startPostgres({ dataDir, fsync: false, template: await postgresTemplate() });
      const urls = { admin: postgres.adminUrl, app: postgres.appUrl, dispatcher: postgres.dispatcherUrl };
      await migrate(urls);
      await query(postgres.adminUrl, 'alter role quoting_dispatcher rename to quoting_relay');

      await migrate(urls);

      const [dispatcher] = await query<{ role: string; events: string }>(
        postgres.dispatcherUrl,
        'select current_user as role, (select count(*) from outbox_events) as events',
      );
      const former = await query(postgres.adminUrl, `select from pg_roles where rolname = 'quoting_relay'`);
      await postgres.stop();
      assert.deepEqual([dispatcher, former.length], [{ role: 'quoting_dispatcher', events: '0' }, 0]);
    });

    it('accepts no password that the template was made with: it has none', async () => {
      const template = await postgresTemplate();

      const files = await fs.readdir(template, { recursive: true, withFileTypes: true });
      const hashes = await Promise.all(
        files
          .filter((file) => file.isFile() && !file.parentPath.includes('pg_wal'))
          .map(async (file) => (await fs.readFile(path.join(file.parentPath, file.name))).includes('SCRAM-SHA-256$')),
      );

      assert.ok(hashes.length > 500);
      assert.equal(hashes.includes(true), false);
    });
  });

  /** Starts on new data without initdb, which costs a second of CPU time. */
  const startCopy = async () => startPostgres({ dataDir, fsync: false, template: await postgresTemplate() });

  it('keeps its rows and its password over a restart', async () => {
    const first = await startCopy();
    await query(first.adminUrl, 'create table t as select 42 as n');
    await first.stop();

    const second = await startPostgres({ dataDir, port: first.port, fsync: false });
    const rows = await query(first.adminUrl, 'select n from t');
    await second.stop();

    assert.equal(first.isNew, true);
    assert.equal(second.isNew, false);
    assert.deepEqual(rows, [{ n: 42 }]);
  });

  it('ends the server that a killed launcher left behind, and starts on its data', async () => {
    const orphan = await orphanServer();

    const postgres = await startPostgres({ dataDir, fsync: false });
    const rows = await query(postgres.adminUrl, 'select 1 as one');
    await postgres.stop();

    assert.equal(await waitUntilGone(orphan, 1_000), true);
    assert.deepEqual(rows, [{ one: 1 }]);
  });

  it('starts again after a killed server, as soon as the last of its sessions has ended', async () => {
    const killed = await startCopy();
    const client = new Client({ connectionString: killed.adminUrl });
    client.on('error', () => undefined);
    await client.connect();
    const { rows: sessions } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const session = sessions[0]?.pid ?? assert.fail();
    pauseProcess(session);
    killed.process.kill();
    await killed.process.exited;

    const starting = startPostgres({ dataDir, fsync: false });
    const log = path.join(dataDir, 'logs', 'postgres.log');
    try {
      await eventually(async () => assert.match(await fs.readFile(log, 'utf8'), /pre-existing shared memory/));
    } finally {
      continueProcess(session);
    }
    const postgres = await starting;
    const rows = await query(postgres.adminUrl, 'select 1 as one');
    await postgres.stop();
    await client.end().catch(() => undefined);

    assert.deepEqual(rows, [{ one: 1 }]);
  });

  it('does not touch a process that has the pid of a stale pid file', async () => {
    const bystander = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
    await once(bystander, 'spawn');
    const record = { pid: bystander.pid, mark: path.join(dataDir, 'postgres'), signal: 'SIGKILL' };
    await fs.mkdir(path.join(dataDir, 'pids'));
    await fs.writeFile(path.join(dataDir, 'pids', 'postgres.json'), JSON.stringify(record));

    const postgres = await startCopy();
    await postgres.stop();

    assert.equal(bystander.exitCode ?? bystander.signalCode, null);
    bystander.kill();
  });

  it('stores its secrets in a file that only its owner reads', async () => {
    const postgres = await startCopy();
    await postgres.stop();

    const { mode } = await fs.stat(path.join(dataDir, 'secrets.json'));

    assert.equal(mode & 0o777, 0o600);
  });

  /** Starts the server from a process that is then killed, and returns the server's pid. */
  async function orphanServer(): Promise<number> {
    const module = path.resolve(import.meta.dirname, '../../dev/postgres.ts');
    const code = `const { startPostgres } = await import(${JSON.stringify(module)});
      const { process: server } = await startPostgres(${JSON.stringify({ dataDir, fsync: false, template: await postgresTemplate() })});
      process.send(server.pid);`;
    const launcher = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [pid] = (await once(launcher, 'message')) as [number]; // what the code above sends
    launcher.kill('SIGKILL');
    await once(launcher, 'exit');
    return pid;
  }
});
