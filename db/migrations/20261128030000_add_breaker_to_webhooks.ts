import type { Knex } from 'knex';

/** An endpoint that fails again and again is only probed; what waits for one takes turns. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('webhooks', (table) => {
    table.integer('failures_in_row').notNullable().defaultTo(0);
    // When the next probe may begin; null until there were enough failures in a row.
    table.timestamp('probe_at');
    // The last turn that was given to a delivery which must wait.
    table.timestamp('turn_at');
    table.check('failures_in_row >= 0', [], 'webhooks_failures_in_row');
  });
  // Each attempt asks how many are under way; without it that reads every attempt the business ever had.
  await knex.raw(
    'create index webhook_attempts_in_flight on webhook_attempts (tenant_id, started_at) where finished_at is null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index webhook_attempts_in_flight');
  await knex.schema.alterTable('webhooks', (table) => {
    table.dropChecks('webhooks_failures_in_row');
    table.dropColumns('failures_in_row', 'probe_at', 'turn_at');
  });
}
