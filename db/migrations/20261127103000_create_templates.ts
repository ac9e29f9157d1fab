import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('templates', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('user_id').notNullable();
    table.text('name').notNullable();
    table.text('description');
    // JSON as text: the lines are read and written as a whole, and their numbers keep their digits.
    table.text('items').notNullable();
    table.text('notes');
    table.decimal('shipping_cost', 18, 3).notNullable().defaultTo(0);
    table.text('currency').notNullable();
    table.boolean('is_active').notNullable().defaultTo(true);
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
    table.check('shipping_cost >= 0', [], 'templates_shipping_cost');
    table.index(['tenant_id', 'created_at', 'id'], 'templates_newest');
  });
  // Deleting sets a flag, because quotes may have been made from it.
  await protectTenantTable(knex, 'templates', { app: ['select', 'insert', 'update'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('templates');
}
