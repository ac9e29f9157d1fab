import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { adoptBaseline } from './baseline.ts';
import { connect } from './database.ts';
import { ensureRoles, ROLES } from './roles.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

const nameOf = (file: string): string => file.replace(/\.[jt]s$/, '');

/** Migrations by name without ending, so that a database migrated from TypeScript is not new to compiled code. */
const migrationSource: Knex.MigrationSource<string> = {
  async getMigrations() {
    const files = await readdir(FOLDER);
    return files.filter((file) => /^\d{14}_.*\.[jt]s$/.test(file)).toSorted();
  },
  getMigrationName: (file) => nameOf(file),
  // The folder holds migrations only, and each exports these two (db/README.md).
  getMigration: (file) => import(new URL(file, FOLDER).href) as Promise<Knex.Migration>,
};

const migrationNames = async (): Promise<string[]> => (await migrationSource.getMigrations([])).map(nameOf);

// A migration over a large table may take its time.
const connectAsOwner = (url: string): Knex =>
  connect({ url, pool: 3, applicationName: 'quoting-migrate', statementTimeoutMs: 30 * 60_000 });

export interface MigrationUrls {
  /** The owner of the tables. */
  readonly admin: string;
  readonly app: string;
  readonly dispatcher: string;
}

/** Makes the roles and brings the schema up to date. Returns the names of the migrations that ran. */
export async function migrate(urls: MigrationUrls): Promise<readonly string[]> {
  const knex = connectAsOwner(urls.admin);
  try {
    await prepare(knex, urls);
    const result: unknown = await alone(knex, () => knex.migrate.latest({ migrationSource }));
    // Knex answers [batch, names].
    return Array.isArray(result) && Array.isArray(result[1]) ? result[1].map(String) : [];
  } finally {
    await knex.destroy();
  }
}

/** Milliseconds between two looks whether another process has finished. */
const LOOK_AGAIN_MS = 200;

/**
 * Runs the work while no other process does. Knex refuses a second process instead of letting it wait when a migration
 * runs outside of a transaction. The lock is polled: a statement that waits for it would hold a snapshot, and building an
 * index concurrently waits for older snapshots.
 */
async function alone<Result>(knex: Knex, work: () => Promise<Result>): Promise<Result> {
  const { client } = knex;
  const connection: unknown = await client.acquireConnection();
  const ask = async (call: string): Promise<boolean> => {
    const { rows } = await knex
      .raw<{ rows: { is: boolean }[] }>(`select ${call}(hashtext('quoting-migrations')) as is`)
      .connection(connection);
    return rows[0]?.is === true;
  };
  try {
    while (!(await ask('pg_try_advisory_lock'))) await sleep(LOOK_AGAIN_MS);
    const result = await work();
    await ask('pg_advisory_unlock');
    return result;
  } finally {
    // Ending the connection releases the lock too.
    await client.releaseConnection(connection);
  }
}

/** Roles and bookkeeping, in one transaction: a database that is too old stays as it is. */
async function prepare(knex: Knex, urls: MigrationUrls): Promise<void> {
  const names = await migrationNames();
  await knex.transaction(async (trx) => {
    // Two processes that create Knex's tables would fail.
    await trx.raw(`select pg_advisory_xact_lock(hashtext('quoting-migrate'))`);
    // Creates Knex's tables.
    await trx.migrate.currentVersion();
    // The row that Knex locks while it migrates. Before any change, since that process may be about to change the same.
    await trx.raw('select from knex_migrations_lock for update');
    await ensureRoles(trx, urls);
    await trx.raw(`grant usage on schema public to ${ROLES.app}, ${ROLES.dispatcher}, ${ROLES.lookup}`);
    await trx.raw(`grant select on knex_migrations to ${ROLES.app}`);
    await adoptBaseline(trx, names);
  });
}

/** Takes every migration back, or those after `to`. For tests; it drops data. */
export async function migrateDown(adminUrl: string, { to }: { to?: string } = {}): Promise<void> {
  const knex = connectAsOwner(adminUrl);
  try {
    if (to === undefined) await knex.migrate.rollback({ migrationSource }, true);
    else while ((await newestMigration(knex)) > to) await knex.migrate.down({ migrationSource });
  } finally {
    await knex.destroy();
  }
}

async function newestMigration(knex: Knex): Promise<string> {
  const row = await knex<{ name: string }>('knex_migrations').max('name as name').first<{ name: string | null }>();
  return row.name ?? '';
}

/** Whether every migration of this version has run. */
export async function isMigrated(knex: Knex): Promise<boolean> {
  const names = await migrationNames();
  const rows = await knex<{ name: string }>('knex_migrations').select('name');
  const done = new Set(rows.map((row) => row.name));
  return names.every((name) => done.has(name));
}
