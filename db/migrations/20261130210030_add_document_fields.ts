import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

/** Title, reference, terms, notes of the business, deposit and metadata of quotes and templates. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => {
    table.text('default_terms').notNullable().defaultTo('');
  });
  await knex.schema.alterTable('quotes', (table) => {
    table.text('title');
    table.text('reference');
    table.text('terms');
    table.text('internal_notes');
    // JSON as text.
    table.text('deposit');
    table.text('metadata');
  });
  // The comparison implies that the column is not null, so the filter can use a partial index.
  await knex.raw(
    'create index quotes_by_reference on quotes (tenant_id, reference, quote_number) where reference is not null',
  );
  await knex.schema.alterTable('templates', (table) => {
    // JSON as text: what a template sets besides lines, notes, shipping and currency.
    table.text('document');
  });
  // An index of the column: with row-level security no operator of JSON can use an index, equality of texts can.
  await knex.schema.createTable('quote_metadata', (table) => {
    table.text('tenant_id').notNullable();
    table.text('quote_id').notNullable();
    table.text('name').notNullable();
    table.text('value').notNullable();
    table.primary(['tenant_id', 'quote_id', 'name']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.index(['tenant_id', 'name', 'value', 'quote_id'], 'quote_metadata_by_value');
  });
  // Deleting: revise replaces the metadata of a quote.
  await protectTenantTable(knex, 'quote_metadata', { app: ['select', 'insert', 'delete'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('quote_metadata');
  await knex.schema.alterTable('templates', (table) => {
    table.dropColumn('document');
  });
  await knex.schema.alterTable('quotes', (table) => {
    table.dropIndex([], 'quotes_by_reference');
    table.dropColumns('title', 'reference', 'terms', 'internal_notes', 'deposit', 'metadata');
  });
  await knex.schema.alterTable('tenants', (table) => {
    table.dropColumn('default_terms');
  });
}
