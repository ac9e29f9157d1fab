import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('audit_logs', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('user_id');
    table.text('actor').notNullable();
    table.text('action').notNullable();
    table.text('entity').notNullable();
    table.text('entity_id').notNullable();
    // JSON as text: jsonb would change its bytes, and later seals hash them.
    table.text('metadata').notNullable();
    table.text('request_id');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
    table.index(['tenant_id', 'created_at', 'id'], 'audit_logs_newest');
  });
  await protectTenantTable(knex, 'audit_logs', { app: ['select', 'insert'] });
  await knex.raw(`create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege'; end $$`);
  await knex.raw(`create trigger append_only before update or delete on audit_logs
    for each row execute function refuse_change()`);
  await knex.raw(`create trigger append_only_truncate before truncate on audit_logs
    for each statement execute function refuse_change()`);

  await knex.schema.createTable('outbox_events', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    // Order of writing. Events of one quote are in commit order, because each writer holds the quote's row lock.
    table.specificType('sequence', 'bigint generated always as identity').unique();
    table.text('type').notNullable();
    table.text('quote_id');
    // The body that webhooks receive, byte for byte.
    table.text('payload').notNullable();
    // The first event of the causal chain, this one's depth in it, and the automations on the way.
    table.text('root_event_id').notNullable();
    table.integer('depth').notNullable().defaultTo(0);
    table.text('automation_path').notNullable().defaultTo('');
    table.text('request_id');
    table.text('traceparent');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('handed_over_at');
    table.integer('attempts').notNullable().defaultTo(0);
    table.timestamp('next_attempt_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
  });
  await protectTenantTable(knex, 'outbox_events', {
    app: ['select', 'insert'],
    relay: ['select', 'update (handed_over_at, attempts, next_attempt_at)'],
  });
  // Small at any age of the system: it contains only waiting rows.
  await knex.raw(
    'create index outbox_events_waiting on outbox_events (next_attempt_at, sequence) where handed_over_at is null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('outbox_events');
  await knex.schema.dropTable('audit_logs');
  await knex.raw('drop function refuse_change()');
}
