import type { Knex } from 'knex';

/** For the newest events of a type, which automation platforms show as samples. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index outbox_events_by_type on outbox_events (tenant_id, type, sequence)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index outbox_events_by_type');
}
