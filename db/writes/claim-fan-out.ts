import { NOTICED_EVENTS } from '../../domain/event-effects.ts';
import type { DispatcherDb } from '../dispatcher-db.ts';
import { prepared } from '../prepared.ts';
import { LOOKAHEAD, RANKED_IDS, roundRobin, type WaitingRows } from './round-robin.ts';

/** An event that is to be fanned out. */
export interface PendingFanOut {
  readonly id: string;
  readonly tenantId: string;
  /** Where in a trace it was written. */
  readonly traceparent: string | null;
}

const NOT_FANNED_OUT: WaitingRows = {
  table: 'outbox_events',
  waits: 'd.fanned_out_at is null',
  due: 'd.fan_out_after <= now()',
  age: 'd.sequence',
};

/**
 * Reads the oldest events that are not fanned out, tenants in turn, and marks those that can have no effect, in one
 * statement: most tenants have neither webhooks nor automations. Returns the others, and how many it looked at. Over all
 * tenants.
 */
export async function discardIrrelevantEvents(
  knex: DispatcherDb,
  limit: number,
): Promise<{ events: readonly PendingFanOut[]; seen: number }> {
  const { rows } = await prepared<PendingFanOut & { matters: boolean }>(knex, 'claim-fan-out', {
    text: `with recursive ${roundRobin(NOT_FANNED_OUT)}, due as materialized (
       select d.id, d.tenant_id, d.type, d.sequence, d.traceparent from outbox_events d join ranked on ranked.id = d.id
        where ${RANKED_IDS} and ${NOT_FANNED_OUT.waits} and ${NOT_FANNED_OUT.due}
        order by ranked.rank, d.sequence limit ? for update of d skip locked
     ), judged as materialized (
       select d.*,
              d.type = any (?)
              or exists (select from webhooks w where w.tenant_id = d.tenant_id and w.is_active and d.type = any (w.events))
              or d.type like 'quote.%'
                 and exists (select from automations a where a.tenant_id = d.tenant_id and a.is_active) as matters
         from due d
     ), marked as (
       update outbox_events e set fanned_out_at = now() from judged j where e.id = j.id and not j.matters
     )
     select id, tenant_id as "tenantId", traceparent, matters from judged order by sequence`,
    bindings: [LOOKAHEAD * limit, limit, NOTICED_EVENTS],
  });
  const events = rows.filter(({ matters }) => matters).map(({ matters: _matters, ...event }) => event);
  return { events, seen: rows.length };
}

/** Fan-out failed: backs off for half a minute, so that the event does not block others. */
export async function backOffFanOut(knex: DispatcherDb, eventId: string): Promise<void> {
  await knex('outboxEvents')
    .where({ id: eventId })
    .update({ fanOutAfter: knex.raw("now() + interval '30 seconds'") });
}
