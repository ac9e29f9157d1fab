import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';
import { protectTenantTable } from '../row-security.ts';

/** What the dispatcher fans out events to, and what the reconciler reads of unfinished work. */
export async function up(knex: Knex): Promise<void> {
  // Older events have been processed, and are not fanned out again.
  await knex.raw('alter table outbox_events add planned_at timestamptz default now()');
  await knex.raw('alter table outbox_events alter planned_at drop default');
  // When to retry a failed fan-out, so that it does not block others.
  await knex.raw('alter table outbox_events add next_plan_at timestamptz not null default now()');
  await knex.raw(
    'create index outbox_events_unplanned on outbox_events (next_plan_at, sequence) where planned_at is null',
  );
  await knex.raw(`grant update (planned_at, next_plan_at) on outbox_events to ${ROLES.dispatcher}`);
  await knex.raw(`grant update (planned_at) on outbox_events to ${ROLES.app}`);

  // Numbers the events of a tenant that are sent to webhooks.
  await knex.schema.createTable('event_counters', (table) => {
    table.text('tenant_id').primary().references('tenants.id');
    table.bigInteger('last_number').notNullable().defaultTo(0);
  });
  await protectTenantTable(knex, 'event_counters', { app: ['select', 'insert', 'update'] });

  // When the next attempt is due: stored here, because the waiting process may be lost.
  await knex.raw('alter table webhook_deliveries add due_at timestamptz');
  await knex.raw(
    'create index webhook_attempts_open on webhook_attempts (tenant_id, delivery_id) where finished_at is null',
  );

  // Unfinished work, for the reconciler: partial indexes that stay small at any age of the system.
  await knex.raw("create index quotes_open on quotes (id) where status in ('GENERATED', 'SENT')");
  await knex.raw("create index webhook_deliveries_pending on webhook_deliveries (id) where status = 'PENDING'");
  await knex.raw("create index automation_logs_triggered on automation_logs (id) where status = 'TRIGGERED'");
  await knex.raw("create index reminders_pending on reminders (id) where status = 'PENDING'");
  await knex.raw("create index mails_pending on mails (id) where status = 'PENDING'");
  await knex.raw(`grant select (expires_at, created_at) on quotes to ${ROLES.dispatcher}`);
  await readableByRelay(knex, 'mails', 'id, tenant_id, status, created_at');
  await readableByRelay(knex, 'reminders', 'id, tenant_id, quote_id, automation_id, due_at, status, created_at');
}

async function readableByRelay(knex: Knex, table: string, columns: string): Promise<void> {
  await knex.raw(`create policy relay on ${table} for select to ${ROLES.dispatcher} using (true)`);
  await knex.raw(`grant select (${columns}) on ${table} to ${ROLES.dispatcher}`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['mails', 'reminders']) {
    await knex.raw(`drop policy relay on ${table}`);
    await knex.raw(`revoke all on ${table} from ${ROLES.dispatcher}`);
  }
  await knex.raw(`revoke select (expires_at, created_at) on quotes from ${ROLES.dispatcher}`);
  await knex.raw(
    `drop index mails_pending, reminders_pending, automation_logs_triggered, webhook_deliveries_pending, quotes_open,
       webhook_attempts_open`,
  );
  await knex.raw('alter table webhook_deliveries drop due_at');
  await knex.schema.dropTable('event_counters');
  await knex.raw('alter table outbox_events drop planned_at, drop next_plan_at');
}
