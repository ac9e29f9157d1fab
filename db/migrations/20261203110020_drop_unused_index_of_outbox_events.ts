import type { Knex } from 'knex';

/** Events are unique by their id alone, and no foreign key refers to them: a second index only made their inserts dearer. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("set local lock_timeout = '10s'");
  await knex.raw('alter table outbox_events drop constraint outbox_events_tenant_id_id_unique');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table outbox_events add constraint outbox_events_tenant_id_id_unique unique (tenant_id, id)');
}
