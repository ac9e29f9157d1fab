import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { connect } from '../../db/database.ts';
import { connectAsDispatcher, type DispatcherDb } from '../../db/dispatcher-db.ts';
import type { MigrationUrls } from '../../db/migrate.ts';
import { DATABASE, type Postgres, startPostgres } from '../../dev/postgres.ts';
import { closeAfterTests, newDatabase } from '../stack.ts';

/** A migrated database with one pool for each role of production. Shared by the tests of this folder. */
export interface TestDatabase {
  readonly urls: MigrationUrls;
  /** Owns the tables; sees all tenants. */
  readonly owner: Knex;
  readonly app: Knex;
  readonly dispatcher: DispatcherDb;
}

let starting: Promise<TestDatabase> | undefined;

export const testDatabase = (): Promise<TestDatabase> => (starting ??= ownDatabase());

/** Another one, for tests that would disturb the others. */
export async function ownDatabase(): Promise<TestDatabase> {
  const { urls } = await newDatabase();
  const pool = (url: string) => connect({ url, applicationName: 'quoting-test' });
  const database = {
    urls,
    owner: pool(urls.admin),
    app: pool(urls.app),
    dispatcher: connectAsDispatcher({ url: urls.dispatcher, applicationName: 'quoting-test' }),
  };
  closeAfterTests(async () => {
    await Promise.all([database.owner.destroy(), database.app.destroy(), database.dispatcher.destroy()]);
  });
  return database;
}

export interface ThrowAwayDatabase {
  readonly urls: MigrationUrls;
  /** The same database, as PostgreSQL's superuser. */
  readonly superuserUrl: string;
  readonly end: () => Promise<void>;
}

let creating: Promise<string> | undefined;

/** A stopped cluster with an empty database. A copy costs a fraction of the CPU time of another initdb. */
async function emptyCluster(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quoting-db-'));
  closeAfterTests(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startPostgres({ dataDir, fsync: false });
  await server.stop();
  return server.dataFolder;
}

/** A server of its own with an empty database, for what no other test may see. */
export async function throwAwayDatabase(): Promise<ThrowAwayDatabase> {
  const template = await (creating ??= emptyCluster());
  const dataDir = await mkdtemp(join(tmpdir(), 'quoting-db-'));
  const server: Postgres = await startPostgres({ dataDir, fsync: false, template });
  const superuserUrl = new URL(server.superuserUrl);
  superuserUrl.pathname = `/${DATABASE}`;
  return {
    urls: { admin: server.adminUrl, app: server.appUrl, dispatcher: server.dispatcherUrl },
    superuserUrl: superuserUrl.href,
    async end() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs SQL and answers its rows. */
export async function rowsOf<Row extends object>(
  db: Knex,
  sql: string,
  bindings: readonly string[] = [],
): Promise<Row[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(sql, [...bindings]);
  return rows;
}

/** How a statement ended: the number of rows it touched, or the SQLSTATE that it ran into. */
export async function outcomeOf(db: Knex, sql: string, bindings: readonly string[] = []): Promise<number | string> {
  try {
    const { rowCount } = await db.raw<{ rowCount: number }>(sql, [...bindings]);
    return rowCount;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}
