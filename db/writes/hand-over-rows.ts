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

/**
 * Deliveries that have left their batch, in one claim; the next is made at the relay's next look, not at once. Their first
 * attempt has been made or found its endpoint in trouble, so that a little later is nothing to them; and there may be
 * thousands, when an endpoint hangs, whose starts would keep Temporal from those of healthy ones.
 */
const MOST_LEFT = 8;

/**
 * Locks the oldest deliveries that are due for hand-over, each to a run of its own: these, which no batch has, and a few
 * of those that have left theirs. Leaves what another relay holds.
 */
export async function claimDeliveries(
  trx: Knex.Transaction,
  limit: number,
  ids: readonly string[],
): Promise<Claimed<DeliveryHandOver>> {
  const waiting = `handed_over_at is null and status = 'PENDING' and next_attempt_at <= now()`;
  const oldest = 'order by next_attempt_at, created_at limit ? for update skip locked';
  const { rows } = await trx.raw<{ rows: DeliveryHandOver[] }>(
    `with fresh as materialized (
       select * from webhook_deliveries where ${waiting} and batch_id is null and id = any (?) ${oldest}
     ), late as materialized (
       select * from webhook_deliveries where ${waiting} and left_batch_at is not null ${oldest}
     ), due as (select * from fresh union all select * from late)
     select ${deliveryColumns('due')} from due`,
    [[...ids], limit, MOST_LEFT],
  );
  return { rows, more: rows.filter(({ id }) => ids.includes(id)).length === limit };
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
