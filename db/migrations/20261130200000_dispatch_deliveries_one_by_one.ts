import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';

/** [table, old column, new column]: `attempts` and `next_attempt_at` were those at starting a workflow, not at the work. */
const COLUMNS = [
  ['outbox_events', 'planned_at', 'fanned_out_at'],
  ['outbox_events', 'next_plan_at', 'fan_out_after'],
  ...['outbox_events', 'webhook_deliveries', 'automation_logs'].flatMap((table) => [
    [table, 'handed_over_at', 'dispatched_at'],
    [table, 'attempts', 'dispatch_failures'],
    [table, 'next_attempt_at', 'dispatch_after'],
  ]),
  ['webhooks', 'failures_in_row', 'consecutive_failures'],
  ['webhooks', 'probe_at', 'next_probe_at'],
  ['webhooks', 'turn_at', 'next_slot_at'],
] as const;

/** Each delivery is a workflow of its own; a flood waits in the table, a few of each endpoint are dispatched. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("set local lock_timeout = '10s'");
  await knex.raw('lock table outbox_events, webhooks, webhook_deliveries, automation_logs in access exclusive mode');
  for (const [table, from, to] of COLUMNS) await knex.raw('alter table ?? rename column ?? to ??', [table, from, to]);
  await knex.raw('alter table webhooks rename constraint webhooks_failures_in_row to webhooks_consecutive_failures');
  await knex.raw('alter index outbox_events_unplanned_of rename to outbox_events_not_fanned_out');
  await knex.raw('alter index automation_logs_waiting_of rename to automation_logs_undispatched');
  await knex.raw(
    `drop index outbox_events_unplanned, outbox_events_waiting, webhook_deliveries_waiting, automation_logs_waiting,
       webhook_deliveries_waiting_of`,
  );
  await knex.raw('alter index outbox_events_waiting_of rename to outbox_events_undispatched');

  // A delivery that waits in a batch is dispatched by itself: no worker runs batches any more.
  await knex.raw(
    `update webhook_deliveries set dispatched_at = null, dispatch_failures = 0, dispatch_after = now()
      where batch_id is not null and left_batch_at is null and status = 'PENDING'`,
  );
  // Their index and their check go with the columns.
  await knex.raw('alter table webhook_deliveries drop batch_id, drop left_batch_at');

  // The queue of each endpoint, in its order. A repetition does not wait in it.
  await knex.raw(
    `create index webhook_deliveries_undispatched on webhook_deliveries
       (tenant_id, webhook_id, created_at, sequence, id)
      where dispatched_at is null and status = 'PENDING' and replay = 0`,
  );
  await knex.raw(
    `create index webhook_deliveries_undispatched_replays on webhook_deliveries
       (tenant_id, dispatch_after, created_at, id)
      where dispatched_at is null and status = 'PENDING' and replay > 0`,
  );
  // Dispatched, and no attempt has ended yet: these are what an endpoint is given only a few of.
  await knex.raw(
    `create index webhook_deliveries_first_attempts on webhook_deliveries (tenant_id, webhook_id)
      where dispatched_at is not null and status = 'PENDING' and status_code is null and replay = 0`,
  );
  await knex.raw(`grant select (next_probe_at) on webhooks to ${ROLES.dispatcher}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`revoke select (next_probe_at) on webhooks from ${ROLES.dispatcher}`);
  await knex.raw(
    `drop index webhook_deliveries_first_attempts, webhook_deliveries_undispatched_replays,
       webhook_deliveries_undispatched`,
  );
  await knex.raw('alter index outbox_events_undispatched rename to outbox_events_waiting_of');
  await knex.raw('alter index automation_logs_undispatched rename to automation_logs_waiting_of');
  await knex.raw('alter index outbox_events_not_fanned_out rename to outbox_events_unplanned_of');
  await knex.raw('alter table webhooks rename constraint webhooks_consecutive_failures to webhooks_failures_in_row');
  for (const [table, from, to] of COLUMNS) await knex.raw('alter table ?? rename column ?? to ??', [table, to, from]);
  await knex.raw(
    `create index outbox_events_unplanned on outbox_events (next_plan_at, sequence) where planned_at is null`,
  );
  await knex.raw(
    'create index outbox_events_waiting on outbox_events (next_attempt_at, sequence) where handed_over_at is null',
  );
  await knex.raw(
    `create index webhook_deliveries_waiting on webhook_deliveries (next_attempt_at, created_at)
      where handed_over_at is null and status = 'PENDING'`,
  );
  await knex.raw(
    `create index webhook_deliveries_waiting_of on webhook_deliveries (tenant_id, next_attempt_at, created_at, id)
      where handed_over_at is null and status = 'PENDING'`,
  );
  await knex.raw(
    `create index automation_logs_waiting on automation_logs (next_attempt_at, triggered_at)
      where handed_over_at is null and status = 'TRIGGERED'`,
  );
  await knex.raw('alter table webhook_deliveries add batch_id text, add left_batch_at timestamptz');
  await knex.raw(
    `alter table webhook_deliveries add constraint webhook_deliveries_left_batch
       check (left_batch_at is null or batch_id is not null)`,
  );
  await knex.raw(
    `create index webhook_deliveries_carried on webhook_deliveries (tenant_id, webhook_id)
      where batch_id is not null and left_batch_at is null and status = 'PENDING'`,
  );
  await knex.raw(`grant update (batch_id, left_batch_at) on webhook_deliveries to ${ROLES.dispatcher}`);
}
