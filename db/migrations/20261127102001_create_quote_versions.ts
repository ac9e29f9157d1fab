import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('quote_versions', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('quote_id').notNullable();
    // The version in the snapshot; the quote itself has the next one.
    table.integer('version').notNullable();
    // JSON as text: evidence hashes it, and jsonb would change its bytes.
    table.text('snapshot').notNullable();
    // The member who revised the quote.
    table.text('user_id').notNullable();
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.unique(['tenant_id', 'quote_id', 'version']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
    table.check('version >= 1', [], 'quote_versions_version');
  });
  await protectTenantTable(knex, 'quote_versions', { app: ['select', 'insert'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('quote_versions');
}
