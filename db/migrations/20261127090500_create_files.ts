import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('files', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('kind').notNullable();
    table.text('quote_id');
    table.text('storage_key').notNullable();
    table.text('content_type').notNullable();
    table.integer('size_bytes').notNullable();
    table.text('sha256').notNullable();
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.unique(['tenant_id', 'storage_key']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.check("kind in ('quote_pdf')", [], 'files_kind');
    table.check("storage_key like 't/' || tenant_id || '/%'", [], 'files_own_folder');
  });
  await protectTenantTable(knex, 'files', { app: ['select', 'insert'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('files');
}
