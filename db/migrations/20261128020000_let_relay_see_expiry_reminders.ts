import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

const REMINDER_COLUMNS = 'tenant_id, quote_id, version, expires_at, remind_at, mail, announced_at';
const QUOTE_COLUMNS = 'version, updated_at';

/** What the reconciler reads to know which quotes still have a reminder or an announcement due. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create policy relay on expiry_reminders for select to ${ROLES.dispatcher} using (true)`);
  await knex.raw(`grant select (${REMINDER_COLUMNS}) on expiry_reminders to ${ROLES.dispatcher}`);
  await knex.raw(`grant select (${QUOTE_COLUMNS}) on quotes to ${ROLES.dispatcher}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`revoke select (${QUOTE_COLUMNS}) on quotes from ${ROLES.dispatcher}`);
  await knex.raw('drop policy relay on expiry_reminders');
  await knex.raw(`revoke select (${REMINDER_COLUMNS}) on expiry_reminders from ${ROLES.dispatcher}`);
}
