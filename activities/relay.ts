import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import type { Knex } from 'knex';
import { Client as PostgresClient } from 'pg';
import type { Log } from '../adapters/log.ts';
import { OUTBOX_CHANNEL } from '../db/nudge.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import {
  leaseWaitingEvents,
  markHandedOver,
  postponeEvents,
  type WaitingEvent,
} from '../db/writes/hand-over-events.ts';
import { handOver } from './hand-over.ts';
import { handOverDeliveries, handOverLeftDeliveries, handOverRuns } from './hand-over-rows.ts';
import { planWaitingEvents } from './plan.ts';
import { createPace, type Pace } from './run-pace.ts';
import { CALLS_IN_FLIGHT } from './start-once.ts';

/**
 * The outbox relay: writes down what follows from each event, and hands what was committed to PostgreSQL over to
 * Temporal, exactly once in effect. Many may run; a row is leased by the one that works on it. A crash between hand-over
 * and mark repeats a call, once the lease is over, that Temporal recognises by the workflow's id, or the workflow by the
 * event's.
 */

const BATCH = 100;
/** Events that are looked at together to be planned. */
const PLANNED = 200;
/** So long events are planned, as many as wait, before anything is handed over: what then waits for an endpoint goes together. */
const PLANNING_MS = 500;
/** The net under LISTEN: how late an event may be when its nudge was lost. */
const POLL_MS = 1_000;
/**
 * Deliveries that have left their batch, at each poll. Their first attempt has been made or found its endpoint in trouble,
 * so that a little later is nothing to them; and there may be thousands, when an endpoint hangs, whose starts would keep
 * Temporal from those of healthy ones.
 */
const LEFT = 8;

export interface RelayDeps {
  /** As the relay's role. */
  readonly knex: Knex;
  /** As the app's role, for what is decided inside a tenant. */
  readonly withTenant: WithTenant;
  /** For LISTEN, which takes a connection of its own. */
  readonly databaseUrl: string;
  readonly temporal: TemporalClient;
  readonly log: Log;
}

export interface Relay {
  /** Hands over what it has begun with and stops. */
  stop(): Promise<void>;
}

export function startRelay(given: RelayDeps): Relay {
  const deps = { ...given, pace: createPace() };
  let stopping = false;
  let nudged = false;
  let wake = () => {};
  const listener = listen(deps, () => {
    nudged = true;
    wake();
  });

  const running = (async () => {
    while (!stopping) {
      nudged = false;
      const full = await pass(deps);
      // A nudge during the pass may be for an event that the pass did not see.
      if (full || nudged || stopping) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();

  // Beside the passes: what is new need not wait for it. One at a time, and a stop waits for that one.
  const quit = new AbortController();
  const following = (async () => {
    while (!stopping) {
      for (let n = 0; n < LEFT && !stopping; n += 1) {
        if (!(await attempt(deps, handOverLeftDeliveries, 1))) break;
      }
      await sleep(POLL_MS, undefined, { signal: quit.signal }).catch(() => undefined);
    }
  })();

  return {
    async stop() {
      stopping = true;
      wake();
      quit.abort();
      await Promise.all([running, following]);
      await listener.stop();
    },
  };
}

type Steps = RelayDeps & { readonly pace: Pace };
type Step = (deps: Steps, limit: number) => Promise<boolean>;

/** Plans for a while, then takes one batch of each kind. Returns whether there may be more. */
async function pass(deps: Steps): Promise<boolean> {
  let full = false;
  // One after the other: a kind that fails does not keep the next from its turn.
  const until = performance.now() + PLANNING_MS;
  do full = await attempt(deps, planWaitingEvents, PLANNED);
  while (full && performance.now() < until);
  for (const step of [handOverEvents, handOverDeliveries, handOverRuns]) {
    full = (await attempt(deps, step, BATCH)) || full;
  }
  return full;
}

/** Takes a step. Returns whether there may be more to do. */
async function attempt(deps: Steps, step: Step, limit: number): Promise<boolean> {
  try {
    return await step(deps, limit);
  } catch (error) {
    // PostgreSQL is away: all is where it was, and the next poll looks again.
    deps.log.warn({ err: error, step: step.name }, 'the relay could not read the outbox');
    return false;
  }
}

/** The events are leased meanwhile, not locked: a call to Temporal must not hold up rows of other tenants. */
async function handOverEvents({ knex, ...deps }: Steps, limit: number): Promise<boolean> {
  const most = Math.min(limit, CALLS_IN_FLIGHT);
  const events = await leaseWaitingEvents(knex, most);
  if (events.length === 0) return false;
  const groups = byQuote(events);
  const outcomes = await Promise.all(groups.map((group) => handOver(deps, group)));
  await knex.transaction(async (trx) => {
    await markHandedOver(trx, groups.filter((_, i) => outcomes[i]).flat());
    await postponeEvents(trx, groups.filter((_, i) => !outcomes[i]).flat());
  });
  return events.length === most;
}

/** One group for all events of a quote, so that its lifecycle hears of them at once and in order. */
function byQuote(events: readonly WaitingEvent[]): readonly (readonly WaitingEvent[])[] {
  const groups = new Map<string, WaitingEvent[]>();
  for (const event of events) {
    const key = event.quoteId ?? event.id;
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()];
}

/** Hears nudges. A broken connection is opened again; meanwhile the poll does the work. */
function listen({ databaseUrl, log }: RelayDeps, onNudge: () => void): { stop(): Promise<void> } {
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
      log.debug({ err: error }, 'the relay listens later');
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
