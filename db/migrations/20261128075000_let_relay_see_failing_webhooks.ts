import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

/** The worker's figures say how many endpoints fail. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`grant select (failures_in_row) on webhooks to ${ROLES.dispatcher}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`revoke select (failures_in_row) on webhooks from ${ROLES.dispatcher}`);
}
