import type { Knex } from 'knex';

/** More people of a client, as JSON; null without any. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('clients', (table) => {
    table.text('contacts');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('clients', (table) => {
    table.dropColumn('contacts');
  });
}
