import type { Knex } from 'knex';
import type { Log } from '../adapters/log.ts';
import { NO_TRACING, type Tracing } from '../adapters/tracing/tracing.ts';
import { planEvent } from '../db/writes/plan-event.ts';
import { postponePlanning, skimUnplannedEvents, type UnplannedEvent } from '../db/writes/plan-waiting-events.ts';
import type { WithTenant } from '../db/with-tenant.ts';

/** Tenants whose events are planned at the same time; each takes a connection. */
const LANES = 3;

export interface PlanDeps {
  /** As the relay's role. */
  readonly knex: Knex;
  /** As the app's role: what follows from an event is decided inside its tenant. */
  readonly withTenant: WithTenant;
  readonly log: Log;
  readonly tracing?: Tracing;
}

/** Plans one batch of events, those of a tenant in their order. Returns whether there may be more. */
export async function planWaitingEvents(
  { knex, withTenant, log, tracing = NO_TRACING }: PlanDeps,
  limit: number,
): Promise<boolean> {
  const { events, seen } = await skimUnplannedEvents(knex, limit);
  const queues = [...byTenant(events).values()];
  const lane = async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift()) {
      for (const event of queue) await plan(event);
    }
  };
  async function plan({ id, tenantId, traceparent }: UnplannedEvent): Promise<void> {
    try {
      await tracing.resume('relay plan', traceparent, () => withTenant(tenantId, (trx) => planEvent(trx, id)));
    } catch (error) {
      log.warn({ err: error, tenantId, eventId: id }, 'an event could not be planned');
      await postponePlanning(knex, id);
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane));
  return seen === limit;
}

function byTenant(events: readonly UnplannedEvent[]): ReadonlyMap<string, readonly UnplannedEvent[]> {
  const groups = new Map<string, UnplannedEvent[]>();
  for (const event of events) groups.set(event.tenantId, [...(groups.get(event.tenantId) ?? []), event]);
  return groups;
}
