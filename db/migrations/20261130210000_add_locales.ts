import type { Knex } from 'knex';

const LOCALES = ['es-MX', 'en-US', 'pt-BR'];

/**
 * The language of what clients read: the business's, and a client's own where it is not null. Consent texts of existing
 * signatures are all in Spanish.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => {
    table.text('locale').notNullable().defaultTo('es-MX').checkIn(LOCALES, 'tenants_locale_check');
  });
  await knex.schema.alterTable('clients', (table) => {
    table.text('locale').checkIn(LOCALES, 'clients_locale_check');
  });
  await knex.schema.alterTable('signatures', (table) => {
    table.text('consent_locale').notNullable().defaultTo('es-MX').checkIn(LOCALES, 'signatures_consent_locale_check');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('signatures', (table) => {
    table.dropColumn('consent_locale');
  });
  await knex.schema.alterTable('clients', (table) => {
    table.dropColumn('locale');
  });
  await knex.schema.alterTable('tenants', (table) => {
    table.dropColumn('locale');
  });
}
