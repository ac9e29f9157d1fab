import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

const EVENTS = "array['quote.created', 'quote.status_changed', 'quote.sent', 'client.created', 'product.created']";
const ERROR_CODES = "('dns', 'refused', 'reset', 'timeout', 'tls', 'blocked_address', 'protocol', 'unreachable')";

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('webhooks', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('url').notNullable();
    table.specificType('events', 'text[]').notNullable();
    table.text('secret_sealed').notNullable();
    table.text('secret_last4').notNullable();
    // After a rotation both secrets sign for a day.
    table.text('previous_secret_sealed');
    table.timestamp('previous_valid_until');
    table.boolean('is_active').notNullable().defaultTo(true);
    // The first failure since its last success; null while it works. Five days of failure disable the webhook.
    table.timestamp('failing_since');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.check(`cardinality(events) > 0 and events <@ ${EVENTS}`, [], 'webhooks_events');
    table.check('(previous_secret_sealed is null) = (previous_valid_until is null)', [], 'webhooks_previous_secret');
    table.index(['tenant_id', 'created_at', 'id'], 'webhooks_newest');
  });
  // The dispatcher matches events with webhooks; it needs neither their secrets nor their addresses.
  await protectTenantTable(knex, 'webhooks', {
    app: ['select', 'insert', 'update', 'delete'],
    relay: ['select (id, tenant_id, events, is_active)'],
  });

  await knex.schema.createTable('webhook_deliveries', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('webhook_id').notNullable();
    table.text('event').notNullable();
    // webhook-id of the call. No foreign key: a test has no outbox event, and events are purged before deliveries.
    table.text('event_id').notNullable();
    // 0, then 1, 2, … for each deliberate repetition of the same event.
    table.integer('replay').notNullable().defaultTo(0);
    // Position among the tenant's events, assigned by the dispatcher.
    table.bigInteger('sequence');
    // The body, byte for byte.
    table.text('payload').notNullable();
    table.text('status').notNullable().defaultTo('PENDING');
    // Of the newest attempt; 0 and a code when there was no response.
    table.integer('status_code');
    table.text('response_body');
    table.text('error_code');
    table.timestamp('delivered_at');
    table.timestamp('completed_at');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    // Dispatch to Temporal: time of success, number of failures, and the next attempt.
    table.timestamp('handed_over_at');
    table.integer('attempts').notNullable().defaultTo(0);
    table.timestamp('next_attempt_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.unique(['tenant_id', 'webhook_id', 'event_id', 'replay']);
    table.foreign(['tenant_id', 'webhook_id']).references(['tenant_id', 'id']).inTable('webhooks').onDelete('cascade');
    table.check(
      "status in ('PENDING', 'DELIVERED', 'EXHAUSTED', 'SKIPPED', 'CANCELLED')",
      [],
      'webhook_deliveries_status',
    );
    table.check("(status = 'PENDING') = (completed_at is null)", [], 'webhook_deliveries_completed');
    table.check("(status = 'DELIVERED') = (delivered_at is not null)", [], 'webhook_deliveries_delivered');
    table.check(`error_code in ${ERROR_CODES}`, [], 'webhook_deliveries_error_code');
    table.index(['tenant_id', 'webhook_id', 'created_at', 'id'], 'webhook_deliveries_newest');
  });
  await knex.raw(
    `create index webhook_deliveries_waiting on webhook_deliveries (next_attempt_at, created_at)
      where handed_over_at is null and status = 'PENDING'`,
  );
  await protectTenantTable(knex, 'webhook_deliveries', {
    app: ['select', 'insert', 'update', 'delete'],
    relay: ['select', 'insert', 'update (handed_over_at, attempts, next_attempt_at)'],
  });

  await knex.schema.createTable('webhook_attempts', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('delivery_id').notNullable();
    // From 1. Written before the call, so an attempt that was lost with its worker is visible.
    table.integer('number').notNullable();
    // The token that may record its result: a late attempt finds another one.
    table.text('claim_token').notNullable();
    table.integer('status_code');
    table.text('response_body');
    table.text('error_code');
    table.integer('duration_ms');
    table.timestamp('started_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('finished_at');
    table.unique(['tenant_id', 'id']);
    table.unique(['tenant_id', 'delivery_id', 'number']);
    table
      .foreign(['tenant_id', 'delivery_id'])
      .references(['tenant_id', 'id'])
      .inTable('webhook_deliveries')
      .onDelete('cascade');
    table.check('number >= 1', [], 'webhook_attempts_number');
    table.check(`error_code in ${ERROR_CODES}`, [], 'webhook_attempts_error_code');
  });
  await protectTenantTable(knex, 'webhook_attempts', { app: ['select', 'insert', 'update', 'delete'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('webhook_attempts');
  await knex.schema.dropTable('webhook_deliveries');
  await knex.schema.dropTable('webhooks');
}
