import type { Knex } from 'knex';
import type { DeliveryHandOver, RunHandOver } from '../reads/unfinished-work.ts';
import { deliveryColumns, runColumns } from '../reads/unfinished-work.ts';
import { LEASE_END } from './lease.ts';

/** Planned work that Temporal does not know of yet. All of it as the relay's role, over all tenants. */

export type PlannedTable = 'webhook_deliveries' | 'automation_logs';

/** Rows that are leased: another relay takes them only once the lease is over. And whether there may be more. */
export interface Leased<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

/** Leases the oldest of these deliveries that are due for hand-over and in no batch. */
export const leaseDeliveries = (knex: Knex, limit: number, ids: readonly string[]): Promise<Leased<DeliveryHandOver>> =>
  leaseOldestDeliveries(knex, limit, 'batch_id is null and id = any (?)', [[...ids]]);

/** Leases the oldest deliveries that are due for hand-over and have left their batch. */
export const leaseLeftDeliveries = (knex: Knex, limit: number): Promise<Leased<DeliveryHandOver>> =>
  leaseOldestDeliveries(knex, limit, 'left_batch_at is not null', []);

async function leaseOldestDeliveries(
  knex: Knex,
  limit: number,
  which: string,
  values: readonly string[][],
): Promise<Leased<DeliveryHandOver>> {
  const { rows } = await knex.raw<{ rows: DeliveryHandOver[] }>(
    `with due as materialized (
       select id from webhook_deliveries
        where handed_over_at is null and status = 'PENDING' and next_attempt_at <= now() and ${which}
        order by next_attempt_at, created_at limit ? for update skip locked
     ), leased as (
       update webhook_deliveries d set next_attempt_at = ${LEASE_END} from due where d.id = due.id returning d.*
     ) select ${deliveryColumns('leased')} from leased order by leased.created_at, leased.id`,
    [...values, limit],
  );
  return { rows, more: rows.length === limit };
}

/** Leases the oldest runs of automations that are due for hand-over. */
export async function leaseRuns(knex: Knex, limit: number): Promise<Leased<RunHandOver>> {
  const { rows } = await knex.raw<{ rows: RunHandOver[] }>(
    `with due as materialized (
       select id from automation_logs
        where handed_over_at is null and status = 'TRIGGERED' and next_attempt_at <= now()
        order by next_attempt_at, triggered_at limit ? for update skip locked
     ), leased as (
       update automation_logs l set next_attempt_at = ${LEASE_END} from due where l.id = due.id returning l.*
     ) select ${runColumns('leased')} from leased order by leased.triggered_at, leased.id`,
    [limit],
  );
  return { rows, more: rows.length === limit };
}

/** Temporal has them. */
export async function markRowsHandedOver(
  trx: Knex.Transaction,
  table: PlannedTable,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await trx(table).whereIn('id', ids).update({ handedOverAt: trx.fn.now() });
}

/** Temporal has them not: they wait 1, 2, 4, then 8 seconds. */
export async function postponeRows(trx: Knex.Transaction, table: PlannedTable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx(table)
    .whereIn('id', ids)
    .update({
      attempts: trx.raw('attempts + 1'),
      nextAttemptAt: trx.raw("now() + least(8, power(2, least(attempts, 3))) * interval '1 second'"),
    });
}
