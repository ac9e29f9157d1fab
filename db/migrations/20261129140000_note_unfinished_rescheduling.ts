import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

/** A settings change that has not reached all reminders of the tenant's SENT quotes: the reconciler looks for it. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => {
    // An event is purged before its tenant, so this is no foreign key.
    table.text('reschedule_event_id');
  });
  await knex.raw('create index tenants_rescheduling on tenants (id) where reschedule_event_id is not null');
  await knex.raw(`grant select (reschedule_event_id, updated_at) on tenants to ${ROLES.dispatcher}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`revoke select (updated_at) on tenants from ${ROLES.dispatcher}`);
  // The index and the other grant are dropped with the column.
  await knex.schema.alterTable('tenants', (table) => {
    table.dropColumn('reschedule_event_id');
  });
}
