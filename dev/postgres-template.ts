import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { migrate } from '../db/migrate.ts';
import { REPOSITORY } from './paths.ts';
import { postgresVersion } from './postgres-binaries.ts';
import { copyFolder } from './postgres-cluster.ts';
import { startPostgres } from './postgres.ts';

/**
 * A stopped cluster with the current schema and no data, made once and copied by each new start: initdb and the
 * migrations take seconds, a copy tenths of one. Stored in `.tools/` under the hash of its sources. Its roles have no
 * passwords, and it holds no tenant.
 */

const FOLDER = path.join(REPOSITORY, '.tools');
const PREFIX = 'postgres-template-';
/** The sources of the schema, relative to `db/`. */
const SOURCES = ['migrations', 'migrate.ts', 'roles.ts', 'row-security.ts'];

/** The hash of the migrations and of the code that they call. */
export function migrationsHash(): string {
  const hash = createHash('sha256');
  const db = path.join(REPOSITORY, 'db');
  for (const source of SOURCES) {
    const files = source.endsWith('.ts') ? [source] : fs.readdirSync(path.join(db, source)).toSorted();
    const folder = source.endsWith('.ts') ? db : path.join(db, source);
    for (const file of files) hash.update(`${file}\0`).update(fs.readFileSync(path.join(folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** The template's folder, created on first use. Concurrent calls are safe. */
export async function postgresTemplate(): Promise<string> {
  const target = path.join(FOLDER, `${PREFIX}${postgresVersion()}-${migrationsHash()}`);
  if (!fs.existsSync(target)) await makeTemplate(target);
  return target;
}

async function makeTemplate(target: string): Promise<void> {
  fs.mkdirSync(FOLDER, { recursive: true });
  // Not below the checkout: when run by root, PostgreSQL's account may be unable to enter it.
  const dataDir = fs.mkdtempSync(path.join(tmpdir(), 'quoting-template-'));
  const part = fs.mkdtempSync(`${target}.part-`);
  try {
    const { dataFolder, ...server } = await startPostgres({ dataDir, fsync: false });
    try {
      await migrate({ admin: server.adminUrl, app: server.appUrl, dispatcher: server.dispatcherUrl });
      await removePasswords(server.superuserUrl);
    } finally {
      await server.stop();
    }
    await copyFolder(dataFolder, part);
    fs.chmodSync(part, 0o700);
    removeOthers();
    fs.renameSync(part, target);
  } catch (error) {
    if (!fs.existsSync(target)) throw error; // otherwise another start was faster
  } finally {
    fs.rmSync(part, { recursive: true, force: true });
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

async function removePasswords(superuserUrl: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      'select quote_ident(rolname) as name from pg_authid where rolpassword is not null',
    );
    for (const { name } of rows) await client.query(`alter role ${name} password null`);
    // Rewrites the tables, so that the files no longer contain the hashes of the old passwords.
    await client.query('vacuum full pg_authid');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Removes templates of other migrations and versions, but not one that another start is creating. */
function removeOthers(): void {
  for (const name of fs.readdirSync(FOLDER)) {
    if (name.startsWith(PREFIX) && !name.includes('.part-')) {
      fs.rmSync(path.join(FOLDER, name), { recursive: true, force: true });
    }
  }
}
