import type { Knex } from 'knex';

/**
 * The business's time zone and country. Existing businesses are taken to be Mexican, as before; the expiry of their
 * quotes does not change. `expiry_reminders.time_zone` is null for reminders that were timed without one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => {
    table.text('time_zone').notNullable().defaultTo('America/Mexico_City');
    table.text('country').notNullable().defaultTo('MX').checkRegex('^[A-Z]{2}$', 'tenants_country_check');
  });
  await knex.schema.alterTable('expiry_reminders', (table) => {
    table.text('time_zone');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('expiry_reminders', (table) => {
    table.dropColumn('time_zone');
  });
  await knex.schema.alterTable('tenants', (table) => {
    table.dropColumns('time_zone', 'country');
  });
}
