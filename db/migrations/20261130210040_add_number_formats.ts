import type { Knex } from 'knex';

/**
 * The number of quotes as people see it. Null only in rows of the version before this migration. The counter may skip
 * numbers once a business raises it, so that it alone no longer counts the quotes.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => {
    table.text('number_format').notNullable().defaultTo('COT-{number}');
  });
  await knex.schema.alterTable('quote_counters', (table) => {
    table.integer('skipped_numbers').notNullable().defaultTo(0);
  });
  await knex.schema.alterTable('quotes', (table) => {
    table.text('display_number');
  });
  await knex.raw(`update quotes set display_number = 'COT-' || quote_number`);
  await knex.schema.alterTable('quotes', (table) => {
    // Two formats can give the same text for different numbers.
    table.unique(['tenant_id', 'display_number'], { indexName: 'quotes_display_number' });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quotes', (table) => {
    table.dropUnique([], 'quotes_display_number');
    table.dropColumn('display_number');
  });
  await knex.schema.alterTable('quote_counters', (table) => {
    table.dropColumn('skipped_numbers');
  });
  await knex.schema.alterTable('tenants', (table) => {
    table.dropColumn('number_format');
  });
}
