import { Client } from 'pg';
import { migrate, type MigrationUrls } from '../../db/migrate.ts';
import { migrationsHash } from '../../dev/postgres-template.ts';
import { isLeftover, newProcessName } from './process-name.ts';
import type { TestServers } from './servers.ts';

export interface Database {
  readonly urls: MigrationUrls;
  /** The same database, as PostgreSQL's superuser. */
  readonly superuserUrl: string;
  readonly drop: () => Promise<void>;
}

/** A separate database with the schema of this checkout, cloned from a template. */
export async function createDatabase(servers: TestServers): Promise<Database> {
  const name = newProcessName();
  await asSuperuser(servers, async (client) => {
    const template = await templateFor(servers, client);
    await client.query(`create database "${name}" template "${template}" owner quoting_owner strategy file_copy`);
  });
  return {
    urls: urlsOf(servers, name),
    superuserUrl: inDatabase(servers.superuserUrl, name),
    drop: () => asSuperuser(servers, (client) => drop(client, name)),
  };
}

/** Drops the databases of killed test processes. */
export const dropLeftoverDatabases = (servers: TestServers): Promise<void> =>
  asSuperuser(servers, async (client) => {
    const { rows } = await client.query<{ name: string }>('select datname as name from pg_database');
    for (const { name } of rows) if (isLeftover(name)) await drop(client, name);
  });

const drop = async (client: Client, name: string): Promise<void> =>
  void (await client.query(`drop database if exists "${name}" with (force)`));

/** The database to clone. The servers may have been started by a checkout with other migrations. */
async function templateFor(servers: TestServers, client: Client): Promise<string> {
  const migrations = migrationsHash();
  if (servers.migrations === migrations) return 'quoting';
  const template = `template-${migrations}`;
  const part = `${template}-part`;
  // Migrations change roles too, which all databases of a server share.
  await client.query("select pg_advisory_lock(hashtext('test-template'))");
  const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
  if (rowCount === 0) {
    await drop(client, part);
    await client.query(`create database "${part}" owner quoting_owner`);
    // The tests are a bundle, and migrations are TypeScript files that are loaded by name.
    const { register } = await import('tsx/esm/api');
    const unregister = register();
    await migrate(urlsOf(servers, part));
    await unregister();
    await client.query(`alter database "${part}" rename to "${template}"`);
  }
  await client.query("select pg_advisory_unlock(hashtext('test-template'))");
  return template;
}

function urlsOf({ env }: TestServers, database: string): MigrationUrls {
  const urlOf = (setting: string) => inDatabase(env[setting] ?? '', database);
  return {
    admin: urlOf('DATABASE_ADMIN_URL'),
    app: urlOf('DATABASE_URL'),
    dispatcher: urlOf('DATABASE_DISPATCHER_URL'),
  };
}

function inDatabase(given: string, database: string): string {
  const url = new URL(given);
  url.pathname = `/${database}`;
  return url.href;
}

async function asSuperuser<T>({ superuserUrl }: TestServers, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
