import type { DispatcherDb } from '../dispatcher-db.ts';
import { prepared } from '../prepared.ts';

/** Rows of the outbox that Temporal does not know of yet, over all tenants: leased in turn, then marked. */

export type OutboxTable = 'outbox_events' | 'webhook_deliveries' | 'automation_logs';

/** Rows that are leased: another dispatcher takes them only once the lease is over. And whether there may be more. */
export interface Leased<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

/**
 * When the lease on a row that is being dispatched ends: the call to Temporal has 5 s, and then the row is marked. Rows of a
 * dispatcher that died are claimed by others after that.
 */
export const LEASE_END = "now() + interval '10 seconds'";

/** Rows that are to be dispatched, in SQL about a row `d`. */
export interface WaitingRows {
  readonly table: string;
  /** As the table's partial index by tenant says it. */
  readonly waits: string;
  /** A further condition, which the index does not cover. */
  readonly due: string;
  /** By what the rows of one tenant are ordered. */
  readonly age: string;
}

/** Factor of the limit by which the rows of one tenant are read: other transactions may have locked some of them. */
export const LOOKAHEAD = 4;

/**
 * Common table expressions after `with recursive` that end in `ranked (tenant_id, id, rank)`: of each tenant the oldest due
 * rows, as many as the one parameter says, numbered from 1. Ordered by `rank`, the first row of each tenant comes before
 * the second of any, so that the backlog of one tenant does not delay another.
 */
export const roundRobin = ({ table, waits, due, age }: WaitingRows): string =>
  // From tenant to tenant by the index: the cost grows with the tenants that wait, not with their rows.
  `tenants_waiting (tenant_id) as (
     (select d.tenant_id from ${table} d where ${waits} order by d.tenant_id limit 1)
     union all
     select (select d.tenant_id from ${table} d where ${waits} and d.tenant_id > w.tenant_id order by d.tenant_id limit 1)
       from tenants_waiting w where w.tenant_id is not null
   ), ranked as (
     select w.tenant_id, of_tenant.* from tenants_waiting w cross join lateral (
       select d.id, row_number() over (order by ${age}) as rank from ${table} d
        where d.tenant_id = w.tenant_id and ${waits} and ${due} order by ${age} limit ?
     ) of_tenant
   )`;

/** For rows `d` that are joined with `ranked`: read one by one. The planner takes `ranked` for many, and would read the table. */
export const RANKED_IDS = 'd.id = any (array(select id from ranked))';

/** Leases the oldest rows that are due, tenants in turn. */
export async function leaseInTurn<Row>(
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
export async function markDispatched(knex: DispatcherDb, table: OutboxTable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await prepared(knex, `mark-dispatched-${table}`, {
    text: `update ${table} set dispatched_at = now() where id = any (?)`,
    bindings: [ids],
  });
}

/** Dispatch failed: back off 1, 2, 4, then 8 seconds, and block no other row meanwhile. */
export async function backOff(knex: DispatcherDb, table: OutboxTable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await prepared(knex, `back-off-${table}`, {
    text: `update ${table} set dispatch_failures = dispatch_failures + 1,
             dispatch_after = now() + least(8, power(2, least(dispatch_failures, 3))) * interval '1 second'
            where id = any (?)`,
    bindings: [ids],
  });
}
