import type { Knex } from 'knex';
import { protectTenantTable, readableByDispatcher } from '../row-security.ts';

const TRIGGERS =
  "('QUOTE_CREATED', 'QUOTE_SENT', 'QUOTE_VIEWED', 'QUOTE_ACCEPTED', 'QUOTE_REJECTED', 'QUOTE_WON', 'QUOTE_LOST', 'QUOTE_EXPIRING')";

/** Automations with their runs, and what they and the quotes' expiry produce: reminders and notifications. */
export async function up(knex: Knex): Promise<void> {
  await createAutomations(knex);
  await createAutomationLogs(knex);
  await createReminders(knex);
  await createExpiryReminders(knex);
  await createNotifications(knex);
}

async function createAutomations(knex: Knex): Promise<void> {
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
  await protectTenantTable(knex, 'automations', {
    app: ['select', 'insert', 'update', 'delete'],
    dispatcher: ['select'],
  });
}

async function createAutomationLogs(knex: Knex): Promise<void> {
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
  await knex.raw("create index automation_logs_triggered on automation_logs (id) where status = 'TRIGGERED'");
  await protectTenantTable(knex, 'automation_logs', {
    app: ['select', 'insert', 'update', 'delete'],
    dispatcher: ['select', 'insert', 'update (handed_over_at, attempts, next_attempt_at)'],
  });

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
}

async function createReminders(knex: Knex): Promise<void> {
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
    // The step that made it. No foreign key: the log may be deleted with its automation, and the reminder stays.
    table.text('log_id');
    table.integer('action_index');
    table.unique(['tenant_id', 'id']);
    table.unique(['tenant_id', 'log_id', 'action_index']);
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
  await knex.raw("create index reminders_pending on reminders (id) where status = 'PENDING'");
  await protectTenantTable(knex, 'reminders', { app: ['select', 'insert', 'update (status, fired_at)'] });
  await readableByDispatcher(knex, 'reminders', [
    'id',
    'tenant_id',
    'quote_id',
    'automation_id',
    'due_at',
    'status',
    'created_at',
  ]);
}

async function createExpiryReminders(knex: Knex): Promise<void> {
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
  await readableByDispatcher(knex, 'expiry_reminders', [
    'tenant_id',
    'quote_id',
    'version',
    'expires_at',
    'remind_at',
    'mail',
    'announced_at',
  ]);
}

async function createNotifications(knex: Knex): Promise<void> {
  await knex.schema.createTable('notifications', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('user_id').notNullable();
    table.text('type').notNullable();
    table.text('title').notNullable();
    table.text('body').notNullable();
    // JSON, for example the quote's id and number.
    table.text('metadata').notNullable().defaultTo('{}');
    // Its cause: an outbox event, or a step of an automation run.
    table.text('event_id').notNullable();
    table.timestamp('read_at');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    // Once each, however often the step that writes it runs.
    table.unique(['tenant_id', 'user_id', 'event_id']);
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
    table.check(
      `type in ('quote_won', 'quote_lost', 'quote_accepted', 'quote_rejected', 'quote_viewed', 'quote_expiring',
        'reminder', 'automation', 'webhook_disabled')`,
      [],
      'notifications_type',
    );
    table.index(['tenant_id', 'user_id', 'created_at', 'id'], 'notifications_newest');
  });
  // Every page queries the number of unread ones.
  await knex.raw('create index notifications_unread on notifications (tenant_id, user_id) where read_at is null');
  await protectTenantTable(knex, 'notifications', { app: ['select', 'insert', 'update (read_at)'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop table notifications, expiry_reminders, reminders, automation_steps, automation_logs, automations',
  );
}
