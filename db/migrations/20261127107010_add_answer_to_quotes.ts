import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quotes', (table) => {
    // Given by the client on their page; null for quotes closed otherwise.
    table.timestamp('answered_at');
    table.text('rejection_reason');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quotes', (table) => {
    table.dropColumns('answered_at', 'rejection_reason');
  });
}
