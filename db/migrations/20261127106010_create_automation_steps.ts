import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('automation_steps', (table) => {
    table.text('tenant_id').notNullable();
    table.text('log_id').notNullable();
    // The index of the action, from 0, and the part of its effect, where it has several (one mail for each owner).
    table.integer('action_index').notNullable();
    table.text('part').notNullable().defaultTo('');
    table.timestamp('started_at').notNullable().defaultTo(knex.fn.now());
    // Null while the result is unknown.
    table.timestamp('done_at');
    // Each effect of a run once, however often its step runs.
    table.primary(['tenant_id', 'log_id', 'action_index', 'part']);
    table
      .foreign(['tenant_id', 'log_id'])
      .references(['tenant_id', 'id'])
      .inTable('automation_logs')
      .onDelete('cascade');
  });
  await protectTenantTable(knex, 'automation_steps', { app: ['select', 'insert', 'update (done_at)'] });

  await knex.schema.alterTable('reminders', (table) => {
    // The step that made it. No foreign key: the log may be deleted with its automation, and the reminder stays.
    table.text('log_id');
    table.integer('action_index');
    table.unique(['tenant_id', 'log_id', 'action_index']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('reminders', (table) => {
    table.dropColumns('log_id', 'action_index');
  });
  await knex.schema.dropTable('automation_steps');
}
