import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

const DISPATCHER = ROLES.dispatcher;

/** Housekeeping may delete imports that ended more than a day ago. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index imports_completed on imports (completed_at)');
  await knex.raw(
    `create policy purge on imports for delete to ${DISPATCHER} using (completed_at < now() - interval '1 day')`,
  );
  await knex.raw(`grant select (completed_at), delete on imports to ${DISPATCHER}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`revoke select (completed_at), delete on imports from ${DISPATCHER}`);
  await knex.raw('drop policy purge on imports');
  await knex.raw('drop index imports_completed');
}
