import type { Knex } from 'knex';

/** What a key may do, until when, and where it was last used from. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('api_keys', (table) => {
    table.text('scope').notNullable().defaultTo('full');
    table.timestamp('expires_at');
    // An IP address.
    table.text('last_used_ip');
    table.check("scope in ('full', 'read')", [], 'api_keys_scope');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('api_keys', (table) => {
    table.dropChecks('api_keys_scope');
    table.dropColumns('scope', 'expires_at', 'last_used_ip');
  });
}
