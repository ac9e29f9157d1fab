import type { Knex } from 'knex';
import { createLookup, dropLookup, protectTenantTable, readableByLookups } from '../row-security.ts';

/** The catalogue: clients, products and the search for their texts. */
export async function up(knex: Knex): Promise<void> {
  for (const name of ['unaccent', 'pg_trgm', 'btree_gin']) await knex.raw(`create extension if not exists ${name}`);
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
  await createClientSearch(knex);

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

/**
 * LIKE is not leakproof, so with row-level security it is never an index condition. The search calls a function of the
 * look-up role, whose policy hides nothing and which filters by the transaction's tenant itself.
 */
async function createClientSearch(knex: Knex): Promise<void> {
  await knex.raw(`create index clients_by_text on clients using gin (tenant_id, search_text(contact_name) gin_trgm_ops,
    search_text(company_name) gin_trgm_ops, search_text(email) gin_trgm_ops)`);
  await readableByLookups(knex, 'clients', ['id', 'tenant_id', 'contact_name', 'company_name', 'email']);
  await createLookup(
    knex,
    'find_clients_by_name(pattern text)',
    'client_id text',
    `select c.id from public.clients c where c.tenant_id = current_setting('app.tenant_id', true)
     and (public.search_text(c.contact_name) like pattern escape '\\'
       or public.search_text(c.company_name) like pattern escape '\\')`,
  );
  await createLookup(
    knex,
    'find_clients_by_text(pattern text)',
    'client_id text',
    `select c.id from public.clients c where c.tenant_id = current_setting('app.tenant_id', true)
     and (public.search_text(c.contact_name) like pattern escape '\\'
       or public.search_text(c.company_name) like pattern escape '\\'
       or public.search_text(c.email) like pattern escape '\\')`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await dropLookup(knex, 'find_clients_by_text(text)');
  await dropLookup(knex, 'find_clients_by_name(text)');
  await knex.raw('drop table products, clients');
  await knex.raw('drop function search_text(text)');
}
