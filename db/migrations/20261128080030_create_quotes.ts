import type { Knex } from 'knex';
import { createLookup, dropLookup, protectTenantTable, readableByLookups } from '../row-security.ts';

/** Quotes with their lines, former versions, labels and templates. */
export async function up(knex: Knex): Promise<void> {
  await createQuotes(knex);
  await createQuoteItems(knex);
  await createQuoteVersions(knex);
  await createLabels(knex);
  await createTemplates(knex);
}

async function createQuotes(knex: Knex): Promise<void> {
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
    // Given by the client on their page; null for quotes closed otherwise.
    table.timestamp('answered_at');
    table.text('rejection_reason');
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
    // Dashboard, pipeline and the list's from and to.
    table.index(['tenant_id', 'created_at', 'quote_number'], 'quotes_newest');
    // The list's orders and its filters by amount and expiry.
    table.index(['tenant_id', 'total', 'quote_number'], 'quotes_by_total');
    table.index(['tenant_id', 'expires_at', 'quote_number'], 'quotes_by_expiry');
  });
  // Unfinished work, for the reconciler: a partial index that stays small at any age of the system.
  await knex.raw("create index quotes_open on quotes (id) where status in ('GENERATED', 'SENT')");
  await protectTenantTable(knex, 'quotes', {
    app: ['select', 'insert', 'update'],
    dispatcher: ['select (id, tenant_id, quote_number, status, expires_at, created_at, version, updated_at)'],
  });
  await readableByLookups(knex, 'quotes', ['id', 'tenant_id', 'public_token_hash']);
  await createLookup(
    knex,
    'find_quote_by_token(token_hash text)',
    'tenant_id text, quote_id text',
    'select q.tenant_id, q.id from public.quotes q where q.public_token_hash = token_hash',
  );
}

async function createQuoteItems(knex: Knex): Promise<void> {
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

async function createQuoteVersions(knex: Knex): Promise<void> {
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

async function createLabels(knex: Knex): Promise<void> {
  await knex.schema.createTable('labels', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('name').notNullable();
    table.text('color').notNullable();
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.check("color ~ '^#[0-9a-f]{6}$'", [], 'labels_color');
  });
  // Readers do not distinguish "Urgente" and "urgente".
  await knex.raw('create unique index labels_name on labels (tenant_id, lower(name))');
  await protectTenantTable(knex, 'labels', { app: ['select', 'insert', 'update', 'delete'] });

  await knex.schema.createTable('quote_labels', (table) => {
    table.text('tenant_id').notNullable();
    table.text('quote_id').notNullable();
    table.text('label_id').notNullable();
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.primary(['tenant_id', 'quote_id', 'label_id']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.foreign(['tenant_id', 'label_id']).references(['tenant_id', 'id']).inTable('labels');
    // For the list filter by label, and for deleting a label.
    table.index(['tenant_id', 'label_id', 'quote_id'], 'quote_labels_by_label');
  });
  await protectTenantTable(knex, 'quote_labels', { app: ['select', 'insert', 'delete'] });
}

async function createTemplates(knex: Knex): Promise<void> {
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
  await dropLookup(knex, 'find_quote_by_token(text)');
  await knex.raw('drop table templates, quote_labels, labels, quote_versions, quote_items, quotes, quote_counters');
}
