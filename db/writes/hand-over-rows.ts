import type { Knex } from 'knex';
import type { DeliveryHandOver, RunHandOver } from '../reads/unfinished-work.ts';
import { deliveryColumns, runColumns } from '../reads/unfinished-work.ts';

/** Planned work that Temporal does not know of yet. All of it as the relay's role, over all tenants. */

export type PlannedTable = 'webhook_deliveries' | 'automation_logs';

/** Rows that are locked, and whether there may be more. */
export interface Claimed<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

/** Locks the oldest of these deliveries that are due for hand-over and in no batch. Leaves what another relay holds. */
export const claimDeliveries = (
  trx: Knex.Transaction,
  limit: number,
  ids: readonly string[],
): Promise<Claimed<DeliveryHandOver>> => claimOldest(trx, limit, 'batch_id is null and id = any (?)', [[...ids]]);

/** Locks the oldest deliveries that are due for hand-over and have left their batch. Leaves what another relay holds. */
export const claimLeftDeliveries = (trx: Knex.Transaction, limit: number): Promise<Claimed<DeliveryHandOver>> =>
  claimOldest(trx, limit, 'left_batch_at is not null', []);

async function claimOldest(
  trx: Knex.Transaction,
  limit: number,
  which: string,
  values: readonly string[][],
): Promise<Claimed<DeliveryHandOver>> {
  const { rows } = await trx.raw<{ rows: DeliveryHandOver[] }>(
    `with due as materialized (
       select * from webhook_deliveries
        where handed_over_at is null and status = 'PENDING' and next_attempt_at <= now() and ${which}
        order by next_attempt_at, created_at limit ? for update skip locked
     ) select ${deliveryColumns('due')} from due`,
    [...values, limit],
  );
  return { rows, more: rows.length === limit };
}

/** Locks the oldest runs of automations that are due for hand-over, leaving what another relay holds. */
export async function claimRuns(trx: Knex.Transaction, limit: number): Promise<Claimed<RunHandOver>> {
  const { rows } = await trx.raw<{ rows: RunHandOver[] }>(
    `with due as materialized (
       select * from automation_logs
        where handed_over_at is null and status = 'TRIGGERED' and next_attempt_at <= now()
        order by next_attempt_at, triggered_at limit ? for update skip locked
     ) select ${runColumns('due')} from due`,
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
