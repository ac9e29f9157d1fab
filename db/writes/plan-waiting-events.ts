import type { Knex } from 'knex';
import { NOTICED_EVENTS } from '../../domain/event-effects.ts';
import { AHEAD, byTurns, type WaitingRows } from './by-turns.ts';

/** An event that is yet to be planned. */
export interface UnplannedEvent {
  readonly id: string;
  readonly tenantId: string;
  /** Where in a trace it was written. */
  readonly traceparent: string | null;
}

const UNPLANNED: WaitingRows = {
  table: 'outbox_events',
  waits: 'd.planned_at is null',
  due: 'd.next_plan_at <= now()',
  age: 'd.sequence',
};

/**
 * Marks those of the oldest unplanned events, by turns of tenants, from which nothing can follow, in one statement: most tenants have neither
 * webhooks nor automations. Returns the others, and how many it looked at. As the relay's role, over all tenants.
 */
export async function skimUnplannedEvents(
  knex: Knex,
  limit: number,
): Promise<{ events: readonly UnplannedEvent[]; seen: number }> {
  const { rows } = await knex.raw<{ rows: (UnplannedEvent & { matters: boolean })[] }>(
    `with recursive ${byTurns(UNPLANNED)}, due as materialized (
       select d.id, d.tenant_id, d.type, d.sequence, d.traceparent from outbox_events d join turns on turns.id = d.id
        where ${UNPLANNED.waits} and ${UNPLANNED.due}
        order by turns.turn, d.sequence limit ? for update of d skip locked
     ), judged as materialized (
       select d.*,
              d.type = any (?)
              or exists (select from webhooks w where w.tenant_id = d.tenant_id and w.is_active and d.type = any (w.events))
              or d.type like 'quote.%'
                 and exists (select from automations a where a.tenant_id = d.tenant_id and a.is_active) as matters
         from due d
     ), marked as (
       update outbox_events e set planned_at = now() from judged j where e.id = j.id and not j.matters
     )
     select id, tenant_id as "tenantId", traceparent, matters from judged order by sequence`,
    [AHEAD * limit, limit, [...NOTICED_EVENTS]],
  );
  const events = rows.filter(({ matters }) => matters).map(({ matters: _matters, ...event }) => event);
  return { events, seen: rows.length };
}

/** Its planning failed: it waits half a minute, so that it holds up no others. */
export async function postponePlanning(knex: Knex, eventId: string): Promise<void> {
  await knex('outboxEvents')
    .where({ id: eventId })
    .update({ nextPlanAt: knex.raw("now() + interval '30 seconds'") });
}
