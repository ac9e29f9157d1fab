import type { Knex } from 'knex';

/** For fair dispatching between tenants. Each contains only waiting rows. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'create index outbox_events_unplanned_of on outbox_events (tenant_id, sequence) where planned_at is null',
  );
  await knex.raw(
    'create index outbox_events_waiting_of on outbox_events (tenant_id, sequence) where handed_over_at is null',
  );
  await knex.raw(
    `create index webhook_deliveries_waiting_of on webhook_deliveries (tenant_id, next_attempt_at, created_at, id)
      where handed_over_at is null and status = 'PENDING'`,
  );
  await knex.raw(
    `create index automation_logs_waiting_of on automation_logs (tenant_id, next_attempt_at, triggered_at, id)
      where handed_over_at is null and status = 'TRIGGERED'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `drop index outbox_events_unplanned_of, outbox_events_waiting_of, webhook_deliveries_waiting_of,
       automation_logs_waiting_of`,
  );
}
