import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { throwAwayDatabase, type ThrowAwayDatabase } from './database.ts';

/** A database of the former version whose migrations the baseline replaces, on a server of its own, without rows. */
export async function formerDatabase(): Promise<ThrowAwayDatabase> {
  const database = await throwAwayDatabase();
  const schema = await readFile(new URL('./former-schema.sql', import.meta.url), 'utf8');
  // The owner creates the extensions, so that they are its own; a dump is restored by a superuser.
  await run(
    database.urls.admin,
    `create role quoting_app login; create role quoting_relay login; create role quoting_lookup;
     create extension unaccent; create extension pg_trgm; create extension btree_gin`,
  );
  await run(database.superuserUrl, schema);
  return database;
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
