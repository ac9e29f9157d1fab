import type { Knex } from 'knex';

/**
 * Legal name and tax id of businesses, their paper size, and the country of clients; null is the business's country, as
 * for all existing clients. Older tax ids and accounts stay as entered, without a check.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => {
    table.text('legal_name');
    table.text('tax_id');
    table.text('paper_size').checkIn(['A4', 'LETTER'], 'tenants_paper_size_check');
  });
  await knex.schema.alterTable('clients', (table) => {
    table.text('country').checkRegex('^[A-Z]{2}$', 'clients_country_check');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('clients', (table) => {
    table.dropColumn('country');
  });
  await knex.schema.alterTable('tenants', (table) => {
    table.dropColumns('legal_name', 'tax_id', 'paper_size');
  });
}
