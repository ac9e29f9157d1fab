import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

const TRIGGERS =
  "('QUOTE_CREATED', 'QUOTE_SENT', 'QUOTE_VIEWED', 'QUOTE_ACCEPTED', 'QUOTE_REJECTED', 'QUOTE_WON', 'QUOTE_LOST', 'QUOTE_EXPIRING')";

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('automations', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('name').notNullable();
    table.text('trigger').notNullable();
    table.boolean('is_active').notNullable().defaultTo(true);
    // JSON as text, in the order in which they were given.
    table.text('conditions').notNullable();
    table.text('actions').notNullable();
    table.integer('delay_minutes').notNullable().defaultTo(0);
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.check(`trigger in ${TRIGGERS}`, [], 'automations_trigger');
    table.check('delay_minutes between 0 and 525600', [], 'automations_delay');
    table.index(['tenant_id', 'created_at', 'id'], 'automations_newest');
  });
  await knex.raw('create index automations_of_trigger on automations (tenant_id, trigger) where is_active');
  await protectTenantTable(knex, 'automations', { app: ['select', 'insert', 'update', 'delete'], relay: ['select'] });

  await knex.schema.createTable('automation_logs', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('automation_id').notNullable();
    table.text('quote_id').notNullable();
    // No foreign key: outbox events are purged before the log.
    table.text('event_id').notNullable();
    table.text('status').notNullable().defaultTo('TRIGGERED');
    // As they were when it was triggered: an edit does not change a running execution.
    table.text('conditions').notNullable();
    table.text('actions').notNullable();
    table.integer('delay_minutes').notNullable();
    table.text('error');
    table.timestamp('triggered_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('completed_at');
    // Dispatch to Temporal: time of success, number of failures, and the next attempt.
    table.timestamp('handed_over_at');
    table.integer('attempts').notNullable().defaultTo(0);
    table.timestamp('next_attempt_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    // One automation run per event, however often the fan-out is repeated.
    table.unique(['tenant_id', 'automation_id', 'event_id']);
    table
      .foreign(['tenant_id', 'automation_id'])
      .references(['tenant_id', 'id'])
      .inTable('automations')
      .onDelete('cascade');
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.check("status in ('TRIGGERED', 'COMPLETED', 'FAILED')", [], 'automation_logs_status');
    table.check("(status = 'TRIGGERED') = (completed_at is null)", [], 'automation_logs_completed');
    table.index(['tenant_id', 'automation_id', 'triggered_at', 'id'], 'automation_logs_newest');
    table.index(['tenant_id', 'quote_id'], 'automation_logs_of_quote');
  });
  await knex.raw(
    `create index automation_logs_waiting on automation_logs (next_attempt_at, triggered_at)
      where handed_over_at is null and status = 'TRIGGERED'`,
  );
  await protectTenantTable(knex, 'automation_logs', {
    app: ['select', 'insert', 'update', 'delete'],
    relay: ['select', 'insert', 'update (handed_over_at, attempts, next_attempt_at)'],
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('automation_logs');
  await knex.schema.dropTable('automations');
}
