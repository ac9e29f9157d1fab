import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

/** Attempts at an action: Temporal also counts tries that got no permit, which are none. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('automation_steps', (table) => {
    table.integer('attempts').notNullable().defaultTo(0);
  });
  await knex.raw(`grant update (attempts) on automation_steps to ${ROLES.app}`);
}

export async function down(knex: Knex): Promise<void> {
  // The grant is dropped with the column.
  await knex.schema.alterTable('automation_steps', (table) => {
    table.dropColumn('attempts');
  });
}
