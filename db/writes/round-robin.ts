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
