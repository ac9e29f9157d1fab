import type { Knex } from 'knex';
import type { EventType } from '../../domain/events.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';
import { AHEAD, byTurns, type WaitingRows } from './by-turns.ts';
import { LEASE_END } from './lease.ts';

/** An outbox event that nobody has handed over yet, with what starting the lifecycle of its quote needs. */
export interface WaitingEvent {
  readonly id: string;
  readonly tenantId: string;
  readonly type: EventType;
  readonly quoteId: string | null;
  readonly requestId: string | null;
  /** Where in a trace it was written. */
  readonly traceparent: string | null;
  readonly attempts: number;
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
  attempts: number;
  payload: string | null;
  slug: string;
  quoteNumber: number | null;
  status: QuoteStatus | null;
}

const WAITING: WaitingRows = {
  table: 'outbox_events',
  waits: 'd.handed_over_at is null',
  due: 'd.next_attempt_at <= now()',
  age: 'd.sequence',
};

/**
 * Leases the oldest events that are due, by turns of tenants: another relay takes them only once the lease is over. As the
 * relay's role, over all tenants.
 */
export async function leaseWaitingEvents(knex: Knex, limit: number): Promise<readonly WaitingEvent[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(
    // The page first, then the joins: only a few rows wait, whatever the size of the tables.
    `with recursive ${byTurns(WAITING)}, due as materialized (
       select d.id from outbox_events d join turns on turns.id = d.id
        where ${WAITING.waits} and ${WAITING.due}
        order by turns.turn, d.sequence limit ? for update of d skip locked
     ), leased as (
       update outbox_events e set next_attempt_at = ${LEASE_END} from due where e.id = due.id
       returning e.id, e.tenant_id, e.type, e.quote_id, e.request_id, e.traceparent, e.attempts, e.sequence,
                 case when e.type in ('tenant.settings_changed', 'webhook.deleted') then e.payload end as payload
     )
     select d.id, d.tenant_id as "tenantId", d.type, d.quote_id as "quoteId", d.request_id as "requestId", d.traceparent,
            d.attempts, d.payload, t.slug, q.quote_number as "quoteNumber", q.status
       from leased d
       join tenants t on t.id = d.tenant_id
       left join quotes q on q.tenant_id = d.tenant_id and q.id = d.quote_id
      order by d.sequence`,
    [AHEAD * limit, limit],
  );
  return rows.map(({ slug, quoteNumber, status, ...event }) => ({
    ...event,
    quote:
      event.quoteId === null || quoteNumber === null || status === null
        ? null
        : { tenantId: event.tenantId, quoteId: event.quoteId, tenantSlug: slug, quoteNumber, status },
  }));
}

/** Temporal has them. */
export async function markHandedOver(trx: Knex.Transaction, events: readonly WaitingEvent[]): Promise<void> {
  if (events.length === 0) return;
  await trx('outboxEvents').whereIn('id', events.map(idOf)).update({ handedOverAt: trx.fn.now() });
}

/** Temporal has them not: they wait 1, 2, 4, then 8 seconds, and block no other quote meanwhile. */
export async function postponeEvents(trx: Knex.Transaction, events: readonly WaitingEvent[]): Promise<void> {
  if (events.length === 0) return;
  await trx('outboxEvents')
    .whereIn('id', events.map(idOf))
    .update({
      attempts: trx.raw('attempts + 1'),
      nextAttemptAt: trx.raw("now() + least(8, power(2, least(attempts, 3))) * interval '1 second'"),
    });
}

const idOf = (event: WaitingEvent): string => event.id;
