import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

const RELAY = ROLES.dispatcher;

/** Housekeeping may delete notifications that are older than a day at most; the setting is longer. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index notifications_by_age on notifications (created_at)');
  await knex.raw(`create policy purge_read on notifications for select to ${RELAY} using (true)`);
  await knex.raw(
    `create policy purge on notifications for delete to ${RELAY} using (created_at < now() - interval '1 day')`,
  );
  await knex.raw(`grant select (tenant_id, id, created_at), delete on notifications to ${RELAY}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`revoke all on notifications from ${RELAY}`);
  await knex.raw('drop policy purge on notifications');
  await knex.raw('drop policy purge_read on notifications');
  await knex.raw('drop index notifications_by_age');
}
