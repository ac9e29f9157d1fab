import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

const EVENTS = "array['quote.created', 'quote.status_changed', 'quote.sent', 'client.created', 'product.created']";
const ERROR_CODES = "('dns', 'refused', 'reset', 'timeout', 'tls', 'blocked_address', 'protocol', 'unreachable')";

/** Endpoints of other systems, their deliveries and the attempts at each. */
export async function up(knex: Knex): Promise<void> {
  await createWebhooks(knex);
  await createDeliveries(knex);
  await createAttempts(knex);
}

async function createWebhooks(knex: Knex): Promise<void> {
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
    // Circuit breaker: a repeatedly failing endpoint is only probed, and its waiting deliveries are spaced out.
    table.integer('failures_in_row').notNullable().defaultTo(0);
    // When the next probe may begin; null until there were enough consecutive failures.
    table.timestamp('probe_at');
    // The last slot given to a waiting delivery.
    table.timestamp('turn_at');
    table.unique(['tenant_id', 'id']);
    table.check(`cardinality(events) > 0 and events <@ ${EVENTS}`, [], 'webhooks_events');
    table.check('(previous_secret_sealed is null) = (previous_valid_until is null)', [], 'webhooks_previous_secret');
    table.check('failures_in_row >= 0', [], 'webhooks_failures_in_row');
    table.index(['tenant_id', 'created_at', 'id'], 'webhooks_newest');
  });
  // The dispatcher matches events with webhooks; it needs neither their secrets nor their addresses.
  await protectTenantTable(knex, 'webhooks', {
    app: ['select', 'insert', 'update', 'delete'],
    dispatcher: ['select (id, tenant_id, events, is_active, failures_in_row)'],
  });
}

async function createDeliveries(knex: Knex): Promise<void> {
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
    // When the next attempt at the endpoint is due: stored here, because the waiting process may be lost.
    table.timestamp('due_at');
    table.timestamp('bodies_purged_at');
    // The batch of first attempts that it was part of, and when it left that for an execution of its own.
    table.text('batch_id');
    table.timestamp('left_batch_at');
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
    table.check('left_batch_at is null or batch_id is not null', [], 'webhook_deliveries_left_batch');
    table.index(['tenant_id', 'webhook_id', 'created_at', 'id'], 'webhook_deliveries_newest');
    table.index(['completed_at'], 'webhook_deliveries_completed');
  });
  await knex.raw(
    `create index webhook_deliveries_waiting on webhook_deliveries (next_attempt_at, created_at)
      where handed_over_at is null and status = 'PENDING'`,
  );
  await knex.raw("create index webhook_deliveries_pending on webhook_deliveries (id) where status = 'PENDING'");
  await knex.raw(`create index webhook_deliveries_with_bodies on webhook_deliveries (completed_at)
    where bodies_purged_at is null and completed_at is not null`);
  await knex.raw(
    `create index webhook_deliveries_carried on webhook_deliveries (tenant_id, webhook_id)
      where batch_id is not null and left_batch_at is null and status = 'PENDING'`,
  );
  await protectTenantTable(knex, 'webhook_deliveries', {
    app: ['select', 'insert', 'update', 'delete'],
    dispatcher: ['select', 'insert', 'update (handed_over_at, attempts, next_attempt_at, batch_id, left_batch_at)'],
  });

  // The event's body is immutable; it may only be emptied after the delivery has ended.
  await knex.raw(`create function refuse_new_payload() returns trigger language plpgsql as $$
    begin
      if new.payload is distinct from old.payload and (new.bodies_purged_at is null or old.completed_at is null) then
        raise exception 'the payload of a delivery is frozen' using errcode = 'insufficient_privilege';
      end if;
      return new;
    end $$`);
  await knex.raw(`create trigger frozen_payload before update of payload on webhook_deliveries
    for each row execute function refuse_new_payload()`);
}

async function createAttempts(knex: Knex): Promise<void> {
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
  await knex.raw(
    'create index webhook_attempts_open on webhook_attempts (tenant_id, delivery_id) where finished_at is null',
  );
  // Each attempt counts the running ones; without it that would read all attempts of the business.
  await knex.raw(
    'create index webhook_attempts_in_flight on webhook_attempts (tenant_id, started_at) where finished_at is null',
  );
  await protectTenantTable(knex, 'webhook_attempts', { app: ['select', 'insert', 'update', 'delete'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table webhook_attempts, webhook_deliveries, webhooks');
  await knex.raw('drop function refuse_new_payload()');
}
