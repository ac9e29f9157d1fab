import type { Client as TemporalClient } from '@temporalio/client';
import pLimit from 'p-limit';
import { Client as PostgresClient } from 'pg';
import type { Log } from '../adapters/log.ts';
import { resumeTrace } from '../adapters/tracing/spans.ts';
import type { DispatcherDb } from '../db/dispatcher-db.ts';
import { OUTBOX_CHANNEL } from '../db/with-tenant.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import {
  backOffFanOut,
  discardIrrelevantEvents,
  fanOutEvents,
  type PendingFanOut,
} from '../db/writes/fan-out-events.ts';
import { dispatchWaitingEvents } from './signal-lifecycles.ts';
import { dispatchAutomationRuns, dispatchDeliveries, dispatchReplays } from './start-workflows.ts';

/**
 * The outbox dispatcher: fans out each event, and dispatches what was committed to PostgreSQL to Temporal, exactly once in
 * effect. Many may run; a row is leased by the one that works on it. A crash between dispatch and mark repeats a call, once
 * the lease is over, that Temporal recognises by the workflow's id, or the workflow by the event's.
 */

/** Events that are looked at together to be fanned out. */
const MAX_FANNED_OUT = 200;
/** Tenants whose events are fanned out at the same time; each takes a connection. */
const MAX_CONCURRENT_TENANTS = 3;
/** Events of one tenant that are fanned out in one transaction. */
const MAX_EVENTS_PER_TRANSACTION = 20;
/** How late an event may be when its nudge was lost. */
const POLL_MS = 1_000;

export interface DispatcherDeps {
  readonly knex: DispatcherDb;
  /** As the app's role, for what is decided inside a tenant. */
  readonly withTenant: WithTenant;
  /** For LISTEN, which takes a connection of its own. */
  readonly databaseUrl: string;
  readonly temporal: TemporalClient;
  readonly log: Log;
}

export interface OutboxDispatcher {
  /** Dispatches deliveries now: an endpoint may be given another one, because a first attempt has ended. */
  readonly wakeForDeliveries: () => void;
  /** Stops after the current step. */
  stop(): Promise<void>;
}

type Step = (deps: DispatcherDeps) => Promise<boolean>;

const ALL_STEPS: readonly Step[] = [
  fanOutWaitingEvents,
  dispatchWaitingEvents,
  dispatchReplays,
  dispatchDeliveries,
  dispatchAutomationRuns,
];
const DELIVERY_STEPS: readonly Step[] = [dispatchDeliveries];

export function startOutboxDispatcher(deps: DispatcherDeps): OutboxDispatcher {
  let stopping = false;
  let requested: readonly Step[] | undefined;
  let wake = () => {};
  const request = (steps: readonly Step[]) => {
    if (requested !== ALL_STEPS) requested = steps;
    wake();
  };
  const listener = listen(deps, () => request(ALL_STEPS));

  /** Resolves with what was requested, or with all steps after the poll interval. */
  const nextRequest = () =>
    new Promise<readonly Step[]>((resolve) => {
      const timer = setTimeout(() => resolve(ALL_STEPS), POLL_MS);
      wake = () => {
        clearTimeout(timer);
        resolve(requested ?? ALL_STEPS);
      };
    });

  const running = (async () => {
    let steps = ALL_STEPS;
    let polledAt = 0;
    while (!stopping) {
      requested = undefined;
      // During a flood deliveries wake it more often than it would poll.
      if (performance.now() - polledAt >= POLL_MS) steps = ALL_STEPS;
      if (steps === ALL_STEPS) polledAt = performance.now();
      if (await pass(deps, steps, () => stopping)) requested = ALL_STEPS;
      // A request during the pass may be for a row that the pass did not see.
      steps = requested ?? (stopping ? ALL_STEPS : await nextRequest());
    }
  })();

  return {
    wakeForDeliveries: () => request(DELIVERY_STEPS),
    async stop() {
      stopping = true;
      wake();
      await running;
      await listener.stop();
    },
  };
}

/** Takes each step once. Returns whether there may be more to do. */
async function pass(deps: DispatcherDeps, steps: readonly Step[], isStopping: () => boolean): Promise<boolean> {
  let more = false;
  for (const step of steps) {
    // With a Temporal that hangs each step takes as long as its calls may.
    if (isStopping()) break;
    try {
      more = (await step(deps)) || more;
    } catch (error) {
      // PostgreSQL is away: no row has changed, and the next poll retries. The other steps may work.
      deps.log.warn({ err: error, step: step.name }, 'the dispatcher could not read the outbox');
    }
  }
  return more;
}

/** Fans out the oldest events, those of a tenant in their order. Returns whether there may be more. */
export async function fanOutWaitingEvents({
  knex,
  withTenant,
  log,
}: Omit<DispatcherDeps, 'temporal' | 'databaseUrl'>): Promise<boolean> {
  const { events, seen } = await discardIrrelevantEvents(knex, MAX_FANNED_OUT);
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
  return seen === MAX_FANNED_OUT;
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

/** Listens for nudges. A broken connection is opened again; meanwhile the poll does the work. */
function listen({ databaseUrl, log }: DispatcherDeps, onNudge: () => void): { stop(): Promise<void> } {
  let stopped = false;
  let client: PostgresClient | undefined;

  async function open(): Promise<void> {
    if (stopped) return;
    client = new PostgresClient({ connectionString: databaseUrl, connectionTimeoutMillis: 3_000, keepAlive: true });
    client.on('notification', onNudge);
    client.on('error', () => undefined);
    client.on('end', () => setTimeout(() => void open(), POLL_MS));
    try {
      await client.connect();
      await client.query(`listen ${OUTBOX_CHANNEL}`);
      onNudge();
    } catch (error) {
      log.debug({ err: error }, 'the dispatcher could not listen for nudges; it polls meanwhile');
      await client.end().catch(() => undefined);
    }
  }

  void open();
  return {
    async stop() {
      stopped = true;
      await client?.end().catch(() => undefined);
    },
  };
}
