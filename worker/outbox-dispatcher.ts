import type { Client as TemporalClient } from '@temporalio/client';
import { Client as PostgresClient } from 'pg';
import type { Log } from '../adapters/log.ts';
import type { DispatcherDb } from '../db/dispatcher-db.ts';
import { OUTBOX_CHANNEL } from '../db/nudge.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import {
  backOffEvents,
  leaseEvents,
  markEventsDispatched,
  type UndispatchedEvent,
} from '../db/writes/dispatch-events.ts';
import { dispatchEvents } from './dispatch-events.ts';
import { dispatchAutomationRuns, dispatchDeliveries, dispatchReplays } from './dispatch-rows.ts';
import { fanOutWaitingEvents } from './fan-out.ts';
import { MAX_CONCURRENT_CALLS } from './start-once.ts';

/**
 * The outbox dispatcher: fans out each event, and dispatches what was committed to PostgreSQL to Temporal, exactly once in
 * effect. Many may run; a row is leased by the one that works on it. A crash between dispatch and mark repeats a call, once
 * the lease is over, that Temporal recognises by the workflow's id, or the workflow by the event's.
 */

/** Events that are looked at together to be fanned out. */
const MAX_FANNED_OUT = 200;
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
  fanOut,
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

async function fanOut(deps: DispatcherDeps): Promise<boolean> {
  return fanOutWaitingEvents(deps, MAX_FANNED_OUT);
}

/** The events are leased, not locked: a call to Temporal must not hold up rows of other tenants. */
async function dispatchWaitingEvents({ knex, ...deps }: DispatcherDeps): Promise<boolean> {
  const events = await leaseEvents(knex, MAX_CONCURRENT_CALLS);
  if (events.length === 0) return false;
  const groups = byQuote(events);
  const outcomes = await Promise.all(groups.map((group) => dispatchEvents(deps, group)));
  await knex.transaction(async (trx) => {
    await markEventsDispatched(trx, groups.filter((_, i) => outcomes[i]).flat());
    await backOffEvents(trx, groups.filter((_, i) => !outcomes[i]).flat());
  });
  return events.length === MAX_CONCURRENT_CALLS;
}

/** One group for all events of a quote, so that its lifecycle is signalled once and in order. */
function byQuote(events: readonly UndispatchedEvent[]): readonly (readonly UndispatchedEvent[])[] {
  const groups = new Map<string, UndispatchedEvent[]>();
  for (const event of events) {
    const key = event.quoteId ?? event.id;
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()];
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
