import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

/** The expiry of which quote.expired was recorded. Quotes that had expired before count as announced. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quotes', (table) => {
    table.timestamp('announced_expiry');
  });
  await knex.raw("update quotes set announced_expiry = expires_at where status = 'SENT' and expires_at < now()");
  await knex.raw(`grant select (announced_expiry) on quotes to ${ROLES.dispatcher}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quotes', (table) => {
    table.dropColumn('announced_expiry');
  });
}
