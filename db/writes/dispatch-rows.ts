import type { Knex } from 'knex';
import type { DispatcherDb } from '../dispatcher-db.ts';
import { prepared } from '../prepared.ts';
import {
  type AutomationRunRow,
  automationRunColumns,
  deliveryColumns,
  type DeliveryRow,
} from '../reads/unfinished-work.ts';
import { LEASE_END } from './lease.ts';
import { LOOKAHEAD, RANKED_IDS, roundRobin, type WaitingRows } from './round-robin.ts';

/** Rows that Temporal does not know of yet, over all tenants. */

export type DispatchedTable = 'webhook_deliveries' | 'automation_logs';

/** Rows that are leased: another dispatcher takes them only once the lease is over. And whether there may be more. */
export interface Leased<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

const REPLAYS: WaitingRows = {
  table: 'webhook_deliveries',
  waits: "d.dispatched_at is null and d.status = 'PENDING' and d.replay > 0",
  due: 'd.dispatch_after <= now()',
  age: 'd.dispatch_after, d.created_at, d.id',
};
const AUTOMATION_RUNS: WaitingRows = {
  table: 'automation_logs',
  waits: "d.dispatched_at is null and d.status = 'TRIGGERED'",
  due: 'd.dispatch_after <= now()',
  age: 'd.dispatch_after, d.triggered_at, d.id',
};

/** Leases the oldest repetitions of deliveries, tenants in turn. A person asked for them, so they do not queue. */
export const leaseReplays = (knex: DispatcherDb, limit: number): Promise<Leased<DeliveryRow>> =>
  leaseInTurn(knex, limit, { name: 'lease-replays', waiting: REPLAYS, columns: deliveryColumns('leased') });

/** Leases the oldest automation runs that are due, tenants in turn. */
export const leaseAutomationRuns = (knex: DispatcherDb, limit: number): Promise<Leased<AutomationRunRow>> =>
  leaseInTurn(knex, limit, {
    name: 'lease-automation-runs',
    waiting: AUTOMATION_RUNS,
    columns: automationRunColumns('leased'),
  });

async function leaseInTurn<Row>(
  knex: DispatcherDb,
  limit: number,
  { name, waiting, columns }: { readonly name: string; readonly waiting: WaitingRows; readonly columns: string },
): Promise<Leased<Row>> {
  const { rows } = await prepared<Row>(knex, name, {
    text: `with recursive ${roundRobin(waiting)}, due as materialized (
       select d.id from ${waiting.table} d join ranked on ranked.id = d.id
        where ${RANKED_IDS} and ${waiting.waits} and ${waiting.due}
        order by ranked.rank, random() limit ? for update of d skip locked
     ), leased as (
       update ${waiting.table} d set dispatch_after = ${LEASE_END} from due where d.id = due.id returning d.*
     ) select ${columns} from leased order by leased.id`,
    bindings: [LOOKAHEAD * limit, limit],
  });
  return { rows, more: rows.length === limit };
}

/** Marks rows whose workflow Temporal has. */
export async function markRowsDispatched(
  trx: Knex.Transaction,
  table: DispatchedTable,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await trx(table).whereIn('id', ids).update({ dispatchedAt: trx.fn.now() });
}

/** Dispatch failed: back off 1, 2, 4, then 8 seconds. */
export async function backOffRows(
  trx: Knex.Transaction,
  table: DispatchedTable,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await trx(table)
    .whereIn('id', ids)
    .update({
      dispatchFailures: trx.raw('dispatch_failures + 1'),
      dispatchAfter: trx.raw("now() + least(8, power(2, least(dispatch_failures, 3))) * interval '1 second'"),
    });
}
