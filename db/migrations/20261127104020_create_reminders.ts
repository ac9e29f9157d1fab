import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('reminders', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('quote_id').notNullable();
    // The quote's creator.
    table.text('user_id').notNullable();
    // The automation that made it; the reminder stays when that is deleted.
    table.text('automation_id');
    table.text('message').notNullable();
    table.timestamp('due_at').notNullable();
    table.text('status').notNullable().defaultTo('PENDING');
    table.timestamp('fired_at');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
    table.check("status in ('PENDING', 'FIRED', 'CANCELLED')", [], 'reminders_status');
    table.check("(fired_at is not null) = (status = 'FIRED')", [], 'reminders_fired');
    table.index(['tenant_id', 'due_at', 'id'], 'reminders_by_due');
    table.index(['tenant_id', 'user_id', 'due_at', 'id'], 'reminders_by_user');
    table.index(['tenant_id', 'automation_id'], 'reminders_of_automation');
  });
  // Only this column: the tenant stays.
  await knex.raw(`alter table reminders add foreign key (tenant_id, automation_id)
    references automations (tenant_id, id) on delete set null (automation_id)`);
  await protectTenantTable(knex, 'reminders', { app: ['select', 'insert', 'update (status, fired_at)'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('reminders');
}
