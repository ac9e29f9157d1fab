import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';
import { protectTenantTable } from '../row-security.ts';

/** Events that are written with the change they report, and the keys that make a request repeatable. */
export async function up(knex: Knex): Promise<void> {
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
    // Dispatch to Temporal: time of success, number of failures, and the next attempt.
    table.timestamp('handed_over_at');
    table.integer('attempts').notNullable().defaultTo(0);
    table.timestamp('next_attempt_at').notNullable().defaultTo(knex.fn.now());
    // Fan-out: time of success, and when to retry a failed one, so that it does not block others.
    table.timestamp('planned_at');
    table.timestamp('next_plan_at').notNullable().defaultTo(knex.raw('now()'));
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    // For the newest events of a type, which automation platforms show as samples.
    table.index(['tenant_id', 'type', 'sequence'], 'outbox_events_by_type');
  });
  // Small at any age of the system: they contain only waiting rows.
  await knex.raw(
    'create index outbox_events_waiting on outbox_events (next_attempt_at, sequence) where handed_over_at is null',
  );
  await knex.raw(
    'create index outbox_events_unplanned on outbox_events (next_plan_at, sequence) where planned_at is null',
  );
  await knex.raw('create index outbox_events_done on outbox_events (created_at) where handed_over_at is not null');
  await protectTenantTable(knex, 'outbox_events', {
    app: ['select', 'insert'],
    dispatcher: ['select', 'update (handed_over_at, attempts, next_attempt_at, planned_at, next_plan_at)'],
  });
  await knex.raw(`grant update (planned_at) on outbox_events to ${ROLES.app}`);

  // Numbers the events of a tenant that are sent to webhooks.
  await knex.schema.createTable('event_counters', (table) => {
    table.text('tenant_id').primary().references('tenants.id');
    table.bigInteger('last_number').notNullable().defaultTo(0);
  });
  await protectTenantTable(knex, 'event_counters', { app: ['select', 'insert', 'update'] });

  await knex.schema.createTable('idempotency_keys', (table) => {
    table.text('tenant_id').notNullable().references('tenants.id');
    // SHA-256 over actor, route and key: the scope, without storing the caller's text.
    table.text('scope').notNullable();
    // SHA-256 of the checked request, to distinguish a repetition from another request with the same key.
    table.text('fingerprint').notNullable();
    table.text('attempt_id').notNullable();
    // Encrypted; null while the first request runs.
    table.text('answer_sealed');
    table.timestamp('started_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.primary(['tenant_id', 'scope']);
    table.index(['created_at'], 'idempotency_keys_oldest');
  });
  await protectTenantTable(knex, 'idempotency_keys', { app: ['select', 'insert', 'update', 'delete'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table idempotency_keys, event_counters, outbox_events');
}
