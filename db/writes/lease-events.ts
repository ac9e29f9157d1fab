import type { EventType } from '../../domain/event-types.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';
import type { DispatcherDb } from '../dispatcher-db.ts';
import { prepared } from '../prepared.ts';
import { LEASE_END, LOOKAHEAD, RANKED_IDS, roundRobin, type WaitingRows } from './dispatch-rows.ts';

/** An outbox event that is to be dispatched, with what starting the lifecycle of its quote needs. */
export interface UndispatchedEvent {
  readonly id: string;
  readonly tenantId: string;
  readonly type: EventType;
  readonly quoteId: string | null;
  readonly requestId: string | null;
  /** Where in a trace it was written. */
  readonly traceparent: string | null;
  /** Of tenant.settings_changed and webhook.deleted only: what changed, or which webhook it was. */
  readonly payload: string | null;
  readonly quote: {
    readonly tenantId: string;
    readonly quoteId: string;
    readonly tenantSlug: string;
    readonly quoteNumber: number;
    readonly status: QuoteStatus;
  } | null;
}

interface Row {
  id: string;
  tenantId: string;
  type: EventType;
  quoteId: string | null;
  requestId: string | null;
  traceparent: string | null;
  payload: string | null;
  slug: string;
  quoteNumber: number | null;
  status: QuoteStatus | null;
}

const WAITING: WaitingRows = {
  table: 'outbox_events',
  waits: 'd.dispatched_at is null',
  due: 'd.dispatch_after <= now()',
  age: 'd.sequence',
};

/**
 * Leases the oldest events that are due, tenants in turn: another dispatcher takes them only once the lease is over. Over
 * all tenants.
 */
export async function leaseEvents(knex: DispatcherDb, limit: number): Promise<readonly UndispatchedEvent[]> {
  const { rows } = await prepared<Row>(knex, 'lease-events', {
    // The page first, then the joins: only a few rows wait, whatever the size of the tables.
    text: `with recursive ${roundRobin(WAITING)}, due as materialized (
       select d.id from outbox_events d join ranked on ranked.id = d.id
        where ${RANKED_IDS} and ${WAITING.waits} and ${WAITING.due}
        order by ranked.rank, d.sequence limit ? for update of d skip locked
     ), leased as (
       update outbox_events e set dispatch_after = ${LEASE_END} from due where e.id = due.id
       returning e.id, e.tenant_id, e.type, e.quote_id, e.request_id, e.traceparent, e.sequence,
                 case when e.type in ('tenant.settings_changed', 'webhook.deleted') then e.payload end as payload
     )
     select d.id, d.tenant_id as "tenantId", d.type, d.quote_id as "quoteId", d.request_id as "requestId", d.traceparent,
            d.payload, t.slug, q.quote_number as "quoteNumber", q.status
       from leased d
       join tenants t on t.id = d.tenant_id
       left join quotes q on q.tenant_id = d.tenant_id and q.id = d.quote_id
      order by d.sequence`,
    bindings: [LOOKAHEAD * limit, limit],
  });
  return rows.map(({ slug, quoteNumber, status, ...event }) => ({
    ...event,
    quote:
      event.quoteId === null || quoteNumber === null || status === null
        ? null
        : { tenantId: event.tenantId, quoteId: event.quoteId, tenantSlug: slug, quoteNumber, status },
  }));
}
