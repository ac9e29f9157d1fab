import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('expiry_reminders', (table) => {
    table.text('tenant_id').notNullable();
    table.text('quote_id').notNullable();
    table.integer('version').notNullable();
    // The inputs of the times; another value of either moves them.
    table.timestamp('expires_at').notNullable();
    table.integer('reminder_days').notNullable();
    // Null: it was already past when computed, so there is no reminder.
    table.timestamp('remind_at');
    // Claims: the first to set one has the effect.
    table.timestamp('reminded_at');
    table.text('mail');
    table.timestamp('announced_at');
    // Once for each version of a quote.
    table.primary(['tenant_id', 'quote_id', 'version']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.check("mail in ('PENDING', 'SENT', 'FAILED', 'SKIPPED')", [], 'expiry_reminders_mail');
    table.check('(mail is null) = (reminded_at is null)', [], 'expiry_reminders_reminded');
  });
  await protectTenantTable(knex, 'expiry_reminders', { app: ['select', 'insert', 'update'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('expiry_reminders');
}
