import { resumeTrace } from '../adapters/tracing/spans.ts';
import pLimit from 'p-limit';
import type { Log } from '../adapters/log.ts';
import type { DispatcherDb } from '../db/dispatcher-db.ts';
import { backOffFanOut, discardIrrelevantEvents, type PendingFanOut } from '../db/writes/claim-fan-out.ts';
import { fanOutEvents } from '../db/writes/fan-out-events.ts';
import type { WithTenant } from '../db/with-tenant.ts';

/** Tenants whose events are fanned out at the same time; each takes a connection. */
const MAX_CONCURRENT_TENANTS = 3;
/** Events of one tenant that are fanned out in one transaction. */
const MAX_EVENTS_PER_TRANSACTION = 20;

export interface FanOutDeps {
  readonly knex: DispatcherDb;
  /** As the app's role: the effects of an event are decided inside its tenant. */
  readonly withTenant: WithTenant;
  readonly log: Log;
}

/** Fans out the oldest events, those of a tenant in their order. Returns whether there may be more. */
export async function fanOutWaitingEvents({ knex, withTenant, log }: FanOutDeps, limit: number): Promise<boolean> {
  const { events, seen } = await discardIrrelevantEvents(knex, limit);
  /** In one transaction; if that fails, each event in its own, so that one which fails holds up no others. */
  async function fanOut(group: Group): Promise<void> {
    const [{ tenantId, traceparent, id: eventId }] = group;
    const ids = group.map(({ id }) => id);
    try {
      await resumeTrace('dispatcher fan out', traceparent, () => withTenant(tenantId, (trx) => fanOutEvents(trx, ids)));
    } catch (error) {
      if (group.length > 1) {
        for (const event of group) await fanOut([event]);
        return;
      }
      log.warn({ err: error, tenantId, eventId }, 'an event could not be fanned out');
      await backOffFanOut(knex, eventId);
    }
  }
  const limited = pLimit(MAX_CONCURRENT_TENANTS);
  await Promise.all(
    [...byTenant(events).values()].map((ofTenant) =>
      limited(async () => {
        for (const group of groupsOf(ofTenant)) await fanOut(group);
      }),
    ),
  );
  return seen === limit;
}

type Group = readonly [PendingFanOut, ...PendingFanOut[]];

/** Consecutive events that were written in the same place of a trace, or in none. */
function groupsOf(events: readonly PendingFanOut[]): readonly Group[] {
  const groups: [PendingFanOut, ...PendingFanOut[]][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last && last.length < MAX_EVENTS_PER_TRANSACTION && last[0].traceparent === event.traceparent) last.push(event);
    else groups.push([event]);
  }
  return groups;
}

function byTenant(events: readonly PendingFanOut[]): ReadonlyMap<string, readonly PendingFanOut[]> {
  const groups = new Map<string, PendingFanOut[]>();
  for (const event of events) groups.set(event.tenantId, [...(groups.get(event.tenantId) ?? []), event]);
  return groups;
}
