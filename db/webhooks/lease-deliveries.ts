import { FAILURES_TO_OPEN } from '../../domain/endpoint-breaker.ts';
import type { DispatcherDb } from '../dispatcher-db.ts';
import { prepared } from '../prepared.ts';
import { LEASE_END, type Leased, leaseInTurn, type WaitingRows } from '../writes/dispatch-rows.ts';

/** What is needed to start the workflow of a delivery. */
export interface DeliveryRow {
  readonly id: string;
  readonly tenantId: string;
  readonly webhookId: string;
  readonly event: string;
  readonly eventId: string;
  readonly replay: number;
  readonly quoteId: string | null;
  readonly quoteNumber: number | null;
  readonly requestId: string | null;
  /** The trace context in which its event was written. */
  readonly traceparent: string | null;
}

/** A column of the event of a row, in SQL. */
export const eventOf = (row: string, column: string): string =>
  `(select e.${column} from outbox_events e where e.tenant_id = ${row}.tenant_id and e.id = ${row}.event_id)`;

/** The columns of a DeliveryRow, from rows of `webhook_deliveries`. */
export const deliveryColumns = (row: string): string =>
  `${row}.id, ${row}.tenant_id as "tenantId", ${row}.webhook_id as "webhookId", ${row}.event,
   ${row}.event_id as "eventId", ${row}.replay, ${eventOf(row, 'quote_id')} as "quoteId",
   (select q.quote_number from quotes q where q.tenant_id = ${row}.tenant_id and q.id = ${eventOf(row, 'quote_id')})
     as "quoteNumber",
   ${eventOf(row, 'request_id')} as "requestId", ${eventOf(row, 'traceparent')} as traceparent`;

/**
 * Deliveries that are dispatched and have not ended an attempt, at the same time: of one endpoint, and of one tenant. Twice
 * what may be called at once, so that the next call is ready when one ends. All others wait in the table, in their order.
 */
export const MAX_FIRST_ATTEMPTS = { endpoint: 4, tenant: 16 } as const;
/**
 * Deliveries of one tenant that Temporal was given lately and whose call has not begun. Starting them is what takes Temporal's
 * time from other tenants; calls that are being made take none.
 */
export const MAX_STARTING = 2;
/** One that is throttled, or lost with Temporal's store, does not count after that. */
const STARTING_FOR = "interval '5 seconds'";

/** As the index `webhook_deliveries_undispatched` says it: the queues of the endpoints. */
const QUEUED = "d.dispatched_at is null and d.status = 'PENDING' and d.replay = 0";
/** As the index `webhook_deliveries_first_attempts` says it. A delivery in its retries is no longer among them. */
const IN_FIRST_ATTEMPT =
  "d.dispatched_at is not null and d.status = 'PENDING' and d.status_code is null and d.replay = 0";

/** Common table expressions that end in `queues (tenant_id, webhook_id)`: the endpoints that have deliveries waiting. */
// From endpoint to endpoint by the index: the cost grows with the endpoints, not with the rows that wait for them.
export const ENDPOINT_QUEUES = `endpoint_queues (tenant_id, webhook_id) as (
     (select d.tenant_id, d.webhook_id from webhook_deliveries d where ${QUEUED}
       order by d.tenant_id, d.webhook_id limit 1)
     union all
     select following.* from endpoint_queues q cross join lateral (
       select d.tenant_id, d.webhook_id from webhook_deliveries d
        where ${QUEUED} and (d.tenant_id, d.webhook_id) > (q.tenant_id, q.webhook_id)
        order by d.tenant_id, d.webhook_id limit 1
     ) following
   ), queues as (
     select q.*, w.is_active and w.consecutive_failures >= ${FAILURES_TO_OPEN} as circuit_open,
            w.next_probe_at > now() as too_early
       from endpoint_queues q join webhooks w on w.tenant_id = q.tenant_id and w.id = q.webhook_id
   )`;

/** How many of the tenant are in their first attempt, but for those that wait for an endpoint whose circuit is open. */
export const IN_FIRST_ATTEMPT_OF_TENANT = `(
     select count(*) from webhook_deliveries d join webhooks w on w.tenant_id = d.tenant_id and w.id = d.webhook_id
      where ${IN_FIRST_ATTEMPT} and d.tenant_id = q.tenant_id
        and not (w.is_active and w.consecutive_failures >= ${FAILURES_TO_OPEN}))`;

const STARTING_OF_TENANT = `(
     select count(*) from webhook_deliveries d
      where ${IN_FIRST_ATTEMPT} and d.tenant_id = q.tenant_id and d.dispatched_at > now() - ${STARTING_FOR}
        and not exists (select from webhook_attempts a where a.tenant_id = d.tenant_id and a.delivery_id = d.id))`;

/** The row at the head of the queue `q`, or as many as the limit says. */
export const headOfQueue = (limit: string): string => `(
     select d.id, d.created_at, d.dispatch_after, d.dispatch_failures,
            row_number() over (order by d.created_at, d.sequence, d.id) as place
       from webhook_deliveries d
      where d.tenant_id = q.tenant_id and d.webhook_id = q.webhook_id and ${QUEUED}
      order by d.created_at, d.sequence, d.id limit ${limit})`;

// `= any (array(…))` where a join would do: the planner takes the heads for many, and would read the whole table for them.
/**
 * Leases the oldest deliveries of each endpoint that may be dispatched now, tenants in turn: as many as bring the endpoint
 * and its tenant to their limits. An endpoint whose circuit is open is given one when a probe is due. A row that is leased,
 * or was and failed, keeps its place at the head of its queue, so it counts like those that are dispatched.
 */
export async function leaseDeliveries(knex: DispatcherDb, limit: number): Promise<Leased<DeliveryRow>> {
  const { rows } = await prepared<DeliveryRow>(knex, 'lease-deliveries', {
    text: `with recursive ${ENDPOINT_QUEUES}, heads as (
       select q.tenant_id, head.* from queues q cross join lateral (
         select count(*) as n from webhook_deliveries d
          where ${IN_FIRST_ATTEMPT} and d.tenant_id = q.tenant_id and d.webhook_id = q.webhook_id
       ) started cross join lateral ${headOfQueue(
         'greatest(0, case when q.circuit_open and q.too_early then 0 when q.circuit_open then 1 else ? end - started.n)',
       )} head
     ), tenants as materialized (
       select q.tenant_id, ${IN_FIRST_ATTEMPT_OF_TENANT} as started, ${STARTING_OF_TENANT} as starting
         from (select distinct tenant_id from heads) q
     ), ranked as (
       select h.id, h.dispatch_after, t.started, t.starting,
              row_number() over (partition by h.tenant_id order by h.place, h.created_at, h.id) as rank
         from heads h join tenants t on t.tenant_id = h.tenant_id
     ), chosen as (
       select id from ranked where rank <= least(? - started, ? - starting) and dispatch_after <= now() order by rank, random() limit ?
     ), due as materialized (
       select d.id from webhook_deliveries d
        where d.id = any (array(select id from chosen)) and ${QUEUED} and d.dispatch_after <= now()
          for update skip locked
     ), leased as (
       update webhook_deliveries d set dispatch_after = ${LEASE_END}
        where d.id = any (array(select id from due)) returning d.*
     ) select ${deliveryColumns('leased')} from leased order by leased.created_at, leased.sequence, leased.id`,
    bindings: [MAX_FIRST_ATTEMPTS.endpoint, MAX_FIRST_ATTEMPTS.tenant, MAX_STARTING, limit],
  });
  return { rows, more: rows.length === limit };
}

const REPLAYS: WaitingRows = {
  table: 'webhook_deliveries',
  waits: "d.dispatched_at is null and d.status = 'PENDING' and d.replay > 0",
  due: 'd.dispatch_after <= now()',
  age: 'd.dispatch_after, d.created_at, d.id',
};

/** Leases the oldest repetitions of deliveries, tenants in turn. A person asked for them, so they do not queue. */
export const leaseReplays = (knex: DispatcherDb, limit: number): Promise<Leased<DeliveryRow>> =>
  leaseInTurn(knex, limit, { name: 'lease-replays', waiting: REPLAYS, columns: deliveryColumns('leased') });
