import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('create extension if not exists unaccent');
  await knex.schema.createTable('tenants', (table) => {
    table.text('id').primary();
    // Used in workflow ids, so it is immutable.
    table.text('slug').notNullable().unique();
    table.text('company_name').notNullable();
    table.text('email');
    table.text('phone');
    table.text('address');
    table.text('plan').notNullable();
    table.decimal('tax_rate', 5, 4);
    table.text('currency').notNullable().defaultTo('MXN');
    table.integer('quote_validity_days').notNullable().defaultTo(15);
    table.integer('reminder_days_before').notNullable().defaultTo(3);
    table.text('default_notes').notNullable().defaultTo('');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now());
    table.check("plan in ('FREE', 'PRO')", [], 'tenants_plan');
    table.check('tax_rate between 0 and 1', [], 'tenants_tax_rate');
    table.check('quote_validity_days between 1 and 365', [], 'tenants_validity');
    table.check('reminder_days_before between 1 and 30', [], 'tenants_reminder');
  });
  await protectTenantTable(knex, 'tenants', {
    app: ['select', 'insert', 'update'],
    relay: ['select (id, slug)'],
    key: 'id',
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('tenants');
}
