import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

/** The audit log and its seals, both append-only. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege'; end $$`);

  await knex.schema.createTable('audit_logs', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('user_id');
    table.text('actor').notNullable();
    table.text('action').notNullable();
    table.text('entity').notNullable();
    table.text('entity_id').notNullable();
    // JSON as text: jsonb would change its bytes, and seals hash them.
    table.text('metadata').notNullable();
    table.text('request_id');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
    table.index(['tenant_id', 'created_at', 'id'], 'audit_logs_newest');
    table.index(['tenant_id', 'action', 'created_at', 'id'], 'audit_logs_by_action');
    table.index(['tenant_id', 'entity', 'created_at', 'id'], 'audit_logs_by_entity');
    table.index(['tenant_id', 'user_id', 'created_at', 'id'], 'audit_logs_by_user');
  });
  await protectTenantTable(knex, 'audit_logs', { app: ['select', 'insert'] });
  await makeAppendOnly(knex, 'audit_logs');

  await knex.schema.createTable('audit_seals', (table) => {
    table.text('tenant_id').notNullable().references('tenants.id');
    // 1, 2, 3, … for each tenant.
    table.integer('number').notNullable();
    // Seals the entries from the previous seal's end until this moment.
    table.timestamp('until_at').notNullable();
    table.integer('entries').notNullable();
    // SHA-256, hex; zeros as the predecessor of the first seal.
    table.text('previous_hash').notNullable();
    table.text('hash').notNullable();
    table.timestamp('sealed_at').notNullable().defaultTo(knex.fn.now());
    table.primary(['tenant_id', 'number']);
    table.check('number >= 1 and entries >= 1', [], 'audit_seals_numbers');
    table.check("hash ~ '^[0-9a-f]{64}$' and previous_hash ~ '^[0-9a-f]{64}$'", [], 'audit_seals_hashes');
  });
  // The writer of entries cannot write seals, and the writer of seals cannot read entries.
  await protectTenantTable(knex, 'audit_seals', { app: ['select'], dispatcher: ['select', 'insert'] });
  await makeAppendOnly(knex, 'audit_seals');

  // A copy of the newest seal: the chain itself does not show that its end is missing.
  await knex.schema.createTable('audit_heads', (table) => {
    table.text('tenant_id').primary().references('tenants.id');
    table.integer('number').notNullable();
    table.text('hash').notNullable();
  });
  await protectTenantTable(knex, 'audit_heads', {
    app: ['select'],
    dispatcher: ['select', 'insert', 'update (number, hash)'],
  });
}

async function makeAppendOnly(knex: Knex, table: string): Promise<void> {
  await knex.raw(`create trigger append_only before update or delete on ${table}
    for each row execute function refuse_change()`);
  await knex.raw(`create trigger append_only_truncate before truncate on ${table}
    for each statement execute function refuse_change()`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table audit_heads, audit_seals, audit_logs');
  await knex.raw('drop function refuse_change()');
}
