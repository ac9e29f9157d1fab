import type { Knex } from 'knex';
import { allowErasure } from '../row-security.ts';
import { ROLES } from '../roles.ts';

const ERASER = ROLES.eraser;

const TABLES = [
  'api_keys audit_heads audit_logs audit_seals automation_logs automation_steps automations clients event_counters',
  'expiry_reminders files follow_ups idempotency_keys imports labels mail_counts mails notifications onboarding_steps',
  'one_time_tokens outbox_events products quote_attachments quote_counters quote_items quote_labels quote_messages',
  'quote_metadata quote_shares quote_versions quote_views quotes recovery_codes reminders sessions signatures templates',
  'two_factors users webhook_attempts webhook_deliveries webhooks',
].flatMap((line) => line.split(' '));

/** Operators disable a tenant, and delete one with a role that can delete the rows of a disabled tenant and of no other. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table tenants add column disabled_at timestamptz');
  // A disabled tenant is on FREE, which stops automations, webhooks and the portal.
  await knex.raw('alter table tenants add column plan_when_enabled text');
  await knex.raw(`alter table tenants
    add constraint tenants_plan_when_enabled check (plan_when_enabled in ('FREE', 'PRO')),
    add constraint tenants_disabled check ((disabled_at is null) = (plan_when_enabled is null)),
    add constraint tenants_disabled_plan check (disabled_at is null or plan = 'FREE')`);

  await knex.raw(`grant ${ERASER} to current_user`);
  await knex.raw(`grant usage on schema public to ${ERASER}`);
  for (const table of TABLES) await allowErasure(knex, table);
  // Without a sub-select on itself, which PostgreSQL refuses as recursion.
  const itself = `id = (select current_setting('app.tenant_id', true)) and disabled_at is not null`;
  await knex.raw(`create policy erase on tenants for select to ${ERASER} using (${itself})`);
  await knex.raw(`create policy erase_delete on tenants for delete to ${ERASER} using (${itself})`);
  await knex.raw(`grant select (id, disabled_at), delete on tenants to ${ERASER}`);
  await refuseChange(knex, `if tg_op = 'DELETE' and current_user = '${ERASER}' then return old; end if;`);

  // Outlives the tenant, so it holds no personal data and no reference.
  await knex.schema.createTable('tenant_deletions', (table) => {
    table.text('id').primary();
    table.text('slug').notNullable().unique();
    table.timestamp('started_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('completed_at');
    table.bigInteger('rows').notNullable().defaultTo(0);
    table.bigInteger('objects').notNullable().defaultTo(0);
    table.bigInteger('executions').notNullable().defaultTo(0);
  });
  await knex.raw('alter table tenant_deletions enable row level security, force row level security');
  await knex.raw(`create policy eraser on tenant_deletions to ${ERASER} using (true) with check (true)`);
  await knex.raw(`create policy owner on tenant_deletions to current_user using (true) with check (true)`);
  await knex.raw(
    `grant select, insert, update (completed_at, rows, objects, executions) on tenant_deletions to ${ERASER}`,
  );
}

/** The trigger function of append-only tables, with an exception. */
async function refuseChange(knex: Knex, exception: string): Promise<void> {
  await knex.raw(`create or replace function refuse_change() returns trigger language plpgsql as $$
    begin ${exception} raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege'; end $$`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table tenant_deletions');
  await refuseChange(knex, '');
  for (const table of [...TABLES, 'tenants']) {
    await knex.raw(`drop policy erase on ${table}`);
    await knex.raw(`drop policy erase_delete on ${table}`);
    await knex.raw(`revoke all on ${table} from ${ERASER}`);
  }
  await knex.raw('revoke select (id, disabled_at) on tenants from ' + ERASER);
  await knex.raw(`revoke usage on schema public from ${ERASER}`);
  await knex.raw(`revoke ${ERASER} from current_user`);
  await knex.raw('alter table tenants drop column plan_when_enabled, drop column disabled_at');
}
