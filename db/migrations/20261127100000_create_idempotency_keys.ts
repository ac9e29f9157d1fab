import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('idempotency_keys', (table) => {
    table.text('tenant_id').notNullable().references('tenants.id');
    // SHA-256 over actor, route and key: the scope, without storing the caller's text.
    table.text('scope').notNullable();
    // SHA-256 of the checked request, to distinguish a repetition from another request with the same key.
    table.text('fingerprint').notNullable();
    table.text('attempt_id').notNullable();
    // Encrypted; null while the first request runs.
    table.text('answer_sealed');
    table.timestamp('started_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.primary(['tenant_id', 'scope']);
    table.index(['created_at'], 'idempotency_keys_oldest');
  });
  await protectTenantTable(knex, 'idempotency_keys', { app: ['select', 'insert', 'update', 'delete'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('idempotency_keys');
}
