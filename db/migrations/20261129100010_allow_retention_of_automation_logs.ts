import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

const RELAY = ROLES.dispatcher;

/** Housekeeping may delete automation runs that ended more than a day ago; their steps are deleted with them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index automation_logs_completed on automation_logs (completed_at)');
  // The role has a permissive policy for all rows of this table, so only a restrictive one limits it.
  await knex.raw(`create policy purge on automation_logs as restrictive for delete to ${RELAY}
    using (completed_at < now() - interval '1 day')`);
  await knex.raw(`grant delete on automation_logs to ${RELAY}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`revoke delete on automation_logs from ${RELAY}`);
  await knex.raw('drop policy purge on automation_logs');
  await knex.raw('drop index automation_logs_completed');
}
