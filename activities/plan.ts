import type { Knex } from 'knex';
import type { Log } from '../adapters/log.ts';
import { resumeTrace } from '../adapters/tracing/spans.ts';
import { planEvents } from '../db/writes/plan-events.ts';
import { postponePlanning, skimUnplannedEvents, type UnplannedEvent } from '../db/writes/plan-waiting-events.ts';
import type { WithTenant } from '../db/with-tenant.ts';

/** Tenants whose events are planned at the same time; each takes a connection. */
const LANES = 3;
/** Events of one tenant that are planned in one transaction. */
const AT_ONCE = 20;

export interface PlanDeps {
  /** As the relay's role. */
  readonly knex: Knex;
  /** As the app's role: what follows from an event is decided inside its tenant. */
  readonly withTenant: WithTenant;
  readonly log: Log;
}

/** Plans one batch of events, those of a tenant in their order. Returns whether there may be more. */
export async function planWaitingEvents({ knex, withTenant, log }: PlanDeps, limit: number): Promise<boolean> {
  const { events, seen } = await skimUnplannedEvents(knex, limit);
  const queues = [...byTenant(events).values()];
  const lane = async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift()) {
      for (const group of together(queue)) await plan(group);
    }
  };
  /** In one transaction; if that fails, each in its own, so that one which cannot be planned holds up no others. */
  async function plan(group: Group): Promise<void> {
    const [{ tenantId, traceparent, id: eventId }] = group;
    const ids = group.map(({ id }) => id);
    try {
      await resumeTrace('relay plan', traceparent, () => withTenant(tenantId, (trx) => planEvents(trx, ids)));
    } catch (error) {
      if (group.length > 1) {
        for (const event of group) await plan([event]);
        return;
      }
      log.warn({ err: error, tenantId, eventId }, 'an event could not be planned');
      await postponePlanning(knex, eventId);
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane));
  return seen === limit;
}

type Group = readonly [UnplannedEvent, ...UnplannedEvent[]];

/** What follows one another in a tenant's queue and was written in one place of a trace, if any. */
function together(queue: readonly UnplannedEvent[]): readonly Group[] {
  const groups: [UnplannedEvent, ...UnplannedEvent[]][] = [];
  for (const event of queue) {
    const last = groups.at(-1);
    if (last && last.length < AT_ONCE && last[0].traceparent === event.traceparent) last.push(event);
    else groups.push([event]);
  }
  return groups;
}

function byTenant(events: readonly UnplannedEvent[]): ReadonlyMap<string, readonly UnplannedEvent[]> {
  const groups = new Map<string, UnplannedEvent[]>();
  for (const event of events) groups.set(event.tenantId, [...(groups.get(event.tenantId) ?? []), event]);
  return groups;
}
