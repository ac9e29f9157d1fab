import type { Knex } from 'knex';

/** Circuit breaker: a repeatedly failing endpoint is only probed, and its waiting deliveries are spaced out. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('webhooks', (table) => {
    table.integer('failures_in_row').notNullable().defaultTo(0);
    // When the next probe may begin; null until there were enough consecutive failures.
    table.timestamp('probe_at');
    // The last slot given to a waiting delivery.
    table.timestamp('turn_at');
    table.check('failures_in_row >= 0', [], 'webhooks_failures_in_row');
  });
  // Each attempt counts the running ones; without it that would read all attempts of the business.
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
