import type { Knex } from 'knex';
import { protectTenantTable, readableByDispatcher } from '../row-security.ts';

/** Imports of clients and products, with what they reported. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('imports', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    // Who uploaded the file, for the audit entry.
    table.text('user_id').notNullable();
    table.text('actor').notNullable();
    table.text('request_id').notNullable();
    table.text('kind').notNullable();
    table.text('status').notNullable();
    table.boolean('is_dry_run').notNullable();
    table.text('on_duplicate').notNullable();
    table.integer('total').notNullable();
    table.integer('done').notNullable().defaultTo(0);
    table.integer('created').notNullable().defaultTo(0);
    table.integer('skipped').notNullable().defaultTo(0);
    // JSON: the problems of the report.
    table.text('problems').notNullable().defaultTo('[]');
    // The valid rows, compressed, until the import has ended.
    table.binary('content');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('completed_at');
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
    table.check("actor in ('user', 'key')", [], 'imports_actor');
    table.check("kind in ('clients', 'products')", [], 'imports_kind');
    table.check("status in ('RUNNING', 'COMPLETED', 'FAILED')", [], 'imports_status');
    table.check("on_duplicate in ('error', 'skip')", [], 'imports_on_duplicate');
    table.check("(status = 'RUNNING') = (completed_at is null)", [], 'imports_completed');
    table.check("status = 'RUNNING' or content is null", [], 'imports_content');
    table.index(['tenant_id', 'user_id'], 'imports_of_user');
  });
  // Two uploads that race must meet here: a business has one running import.
  await knex.raw("create unique index imports_running on imports (tenant_id) where status = 'RUNNING'");
  await protectTenantTable(knex, 'imports', {
    app: ['select', 'insert', 'update (status, done, created, skipped, problems, content, completed_at)'],
  });
  await readableByDispatcher(knex, 'imports', ['id', 'tenant_id', 'status', 'created_at']);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('imports');
}
