import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

/** Clients select optional lines and alternatives when they accept a quote. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('signatures', (table) => {
    // JSON text of the seller's preset and the client's selection. Null for quotes without options.
    table.text('selection');
  });
  await knex.raw(`grant update (counts) on quote_items to ${ROLES.app}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`revoke update (counts) on quote_items from ${ROLES.app}`);
  await knex.schema.alterTable('signatures', (table) => {
    table.dropColumn('selection');
  });
}
