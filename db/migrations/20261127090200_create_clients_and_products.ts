import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  // The normal form for searches: lower case without accents. unaccent() is only "stable", because its dictionary could
  // be changed; this one is named explicitly and never changes, so the wrapper may be immutable and used in an index.
  await knex.raw(`create function search_text(value text) returns text language sql immutable parallel safe
    set search_path = pg_catalog, public
    as $$ select lower(public.unaccent('public.unaccent'::regdictionary, value)) $$`);

  await knex.schema.createTable('clients', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('contact_name').notNullable();
    table.text('company_name');
    table.text('email');
    table.text('phone');
    table.text('tax_id');
    table.text('address');
    table.text('notes');
    table.boolean('is_active').notNullable().defaultTo(true);
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.index(['tenant_id', 'created_at', 'id'], 'clients_newest');
  });
  await protectTenantTable(knex, 'clients', { app: ['select', 'insert', 'update'] });

  await knex.schema.createTable('products', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('name').notNullable();
    table.text('model_sku');
    table.text('description');
    table.decimal('unit_price', 15, 6).notNullable();
    table.text('currency').notNullable();
    table.boolean('is_active').notNullable().defaultTo(true);
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.index(['tenant_id', 'created_at', 'id'], 'products_newest');
    table.check('unit_price >= 0', [], 'products_unit_price');
  });
  await protectTenantTable(knex, 'products', { app: ['select', 'insert', 'update'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('products');
  await knex.schema.dropTable('clients');
  await knex.raw('drop function search_text(text)');
}
