import type { Knex } from 'knex';
import type { DeliveryHandOver, RunHandOver } from '../reads/unfinished-work.ts';
import { deliveryColumns, runColumns } from '../reads/unfinished-work.ts';
import { AHEAD, byTurns, type WaitingRows } from './by-turns.ts';
import { LEASE_END } from './lease.ts';

/** Planned work that Temporal does not know of yet. All of it as the relay's role, over all tenants. */

export type PlannedTable = 'webhook_deliveries' | 'automation_logs';

/** Rows that are leased: another relay takes them only once the lease is over. And whether there may be more. */
export interface Leased<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

/** Leases the oldest of these deliveries that are due for hand-over and in no batch. */
export async function leaseDeliveries(
  knex: Knex,
  limit: number,
  ids: readonly string[],
): Promise<Leased<DeliveryHandOver>> {
  const { rows } = await knex.raw<{ rows: DeliveryHandOver[] }>(
    `with due as materialized (
       select id from webhook_deliveries
        where handed_over_at is null and status = 'PENDING' and next_attempt_at <= now() and batch_id is null
          and id = any (?)
        order by next_attempt_at, created_at limit ? for update skip locked
     ), leased as (
       update webhook_deliveries d set next_attempt_at = ${LEASE_END} from due where d.id = due.id returning d.*
     ) select ${deliveryColumns('leased')} from leased order by leased.created_at, leased.id`,
    [[...ids], limit],
  );
  return { rows, more: rows.length === limit };
}

/** Leases the oldest deliveries that are due for hand-over and have left their batch, by turns of tenants. */
export const leaseLeftDeliveries = (knex: Knex, limit: number): Promise<Leased<DeliveryHandOver>> =>
  leaseByTurns(knex, limit, LEFT, deliveryColumns('leased'));

/** Leases the oldest runs of automations that are due for hand-over, by turns of tenants. */
export const leaseRuns = (knex: Knex, limit: number): Promise<Leased<RunHandOver>> =>
  leaseByTurns(knex, limit, RUNS, runColumns('leased'));

const LEFT: WaitingRows = {
  table: 'webhook_deliveries',
  waits: "d.handed_over_at is null and d.status = 'PENDING'",
  due: 'd.left_batch_at is not null and d.next_attempt_at <= now()',
  age: 'd.next_attempt_at, d.created_at, d.id',
};
const RUNS: WaitingRows = {
  table: 'automation_logs',
  waits: "d.handed_over_at is null and d.status = 'TRIGGERED'",
  due: 'd.next_attempt_at <= now()',
  age: 'd.next_attempt_at, d.triggered_at, d.id',
};

async function leaseByTurns<Row>(
  knex: Knex,
  limit: number,
  waiting: WaitingRows,
  columns: string,
): Promise<Leased<Row>> {
  const { rows } = await knex.raw<{ rows: Row[] }>(
    // By chance between tenants: taken one by one, the oldest of a backlog would be the first of all each time.
    `with recursive ${byTurns(waiting)}, due as materialized (
       select d.id from ${waiting.table} d join turns on turns.id = d.id
        where ${waiting.waits} and ${waiting.due}
        order by turns.turn, random() limit ? for update of d skip locked
     ), leased as (
       update ${waiting.table} d set next_attempt_at = ${LEASE_END} from due where d.id = due.id returning d.*
     ) select ${columns} from leased order by leased.id`,
    [AHEAD * limit, limit],
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
