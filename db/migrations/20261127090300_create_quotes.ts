import type { Knex } from 'knex';
import { createLookup, dropLookup, protectTenantTable, readableByLookups } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('quote_counters', (table) => {
    table.text('tenant_id').primary().references('tenants.id');
    table.integer('last_number').notNullable().defaultTo(0);
  });
  await protectTenantTable(knex, 'quote_counters', { app: ['select', 'insert', 'update'] });

  await knex.schema.createTable('quotes', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.integer('quote_number').notNullable();
    table.integer('version').notNullable().defaultTo(1);
    table.text('status').notNullable().defaultTo('GENERATED');
    table.text('client_id').notNullable();
    // The client's name when the quote was made; the PDF keeps showing it.
    table.text('client_contact_name').notNullable();
    table.text('client_company_name');
    table.text('user_id').notNullable();
    table.text('currency').notNullable();
    // Frozen: a new rate of the tenant changes no existing quote.
    table.decimal('tax_rate', 5, 4).notNullable();
    table.decimal('subtotal', 18, 3).notNullable();
    table.decimal('tax', 18, 3).notNullable();
    table.decimal('shipping_cost', 18, 3).notNullable();
    table.decimal('total', 18, 3).notNullable();
    table.text('notes').notNullable().defaultTo('');
    table.timestamp('expires_at').notNullable();
    table.text('public_token_hash').notNullable().unique();
    table.text('public_token_sealed').notNullable();
    table.integer('view_count').notNullable().defaultTo(0);
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    // Two concurrent creates with the same number must collide here, not in code.
    table.unique(['tenant_id', 'quote_number']);
    table.foreign(['tenant_id', 'client_id']).references(['tenant_id', 'id']).inTable('clients');
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
    table.check("status in ('GENERATED', 'SENT', 'WON', 'LOST', 'ACCEPTED', 'REJECTED')", [], 'quotes_status');
    table.check('total = subtotal + tax + shipping_cost', [], 'quotes_total');
    table.index(['tenant_id', 'status', 'quote_number'], 'quotes_by_status');
    table.index(['tenant_id', 'user_id', 'quote_number'], 'quotes_by_user');
    table.index(['tenant_id', 'client_id', 'quote_number'], 'quotes_by_client');
  });
  await protectTenantTable(knex, 'quotes', {
    app: ['select', 'insert', 'update'],
    relay: ['select (id, tenant_id, quote_number, status)'],
  });
  await readableByLookups(knex, 'quotes', ['id', 'tenant_id', 'public_token_hash']);
  await createLookup(
    knex,
    'find_quote_by_token(token_hash text)',
    'tenant_id text, quote_id text',
    'select q.tenant_id, q.id from public.quotes q where q.public_token_hash = token_hash',
  );

  await knex.schema.createTable('quote_items', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('quote_id').notNullable();
    table.integer('position').notNullable();
    table.text('product_id');
    table.text('product_name').notNullable();
    table.text('model');
    table.decimal('unit_price', 15, 6).notNullable();
    table.integer('quantity').notNullable();
    table.decimal('discount_pct', 7, 4).notNullable().defaultTo(0);
    // The line amount, rounded to the currency's minor unit.
    table.decimal('subtotal', 18, 3).notNullable();
    table.unique(['tenant_id', 'id']);
    table.unique(['tenant_id', 'quote_id', 'position']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
    table.check('unit_price >= 0', [], 'quote_items_unit_price');
    table.check('quantity >= 1', [], 'quote_items_quantity');
    table.check('discount_pct between 0 and 100', [], 'quote_items_discount');
  });
  // Deleting: revise replaces the lines of a quote.
  await protectTenantTable(knex, 'quote_items', { app: ['select', 'insert', 'delete'] });
}

export async function down(knex: Knex): Promise<void> {
  await dropLookup(knex, 'find_quote_by_token(text)');
  await knex.schema.dropTable('quote_items');
  await knex.schema.dropTable('quotes');
  await knex.schema.dropTable('quote_counters');
}
