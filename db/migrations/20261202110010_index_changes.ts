import type { Knex } from 'knex';

/** Building these takes seconds for large tables, in which they stay writable. */
export const config = { transaction: false };

const INDEXES = [
  ['quotes_by_change', 'quotes (tenant_id, changed_at, id)'],
  ['clients_by_change', 'clients (tenant_id, updated_at, id)'],
] as const;

/** For reading what changed since a moment. Safe to repeat: a build that failed leaves an invalid index. */
export async function up(knex: Knex): Promise<void> {
  for (const [name, columns] of INDEXES) {
    await knex.raw(`drop index concurrently if exists ${name}`);
    await knex.raw(`create index concurrently ${name} on ${columns}`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [name] of INDEXES) await knex.raw(`drop index concurrently if exists ${name}`);
}
