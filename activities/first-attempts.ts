import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import pLimit from 'p-limit';
import type { Closing } from '../db/writes/close-attempt.ts';
import { MOST_IN_FLIGHT } from '../db/writes/endpoint-turns.ts';
import { leaveBatch } from '../db/writes/leave-batch.ts';
import type { Opening } from '../db/writes/open-attempt.ts';
import type { Nudge } from '../db/with-tenant.ts';
import type { FirstAttemptsInput, FirstAttemptsResult } from '../workflows/contract.ts';
import { createDeliveryAttempts, type DeliverDeps } from './delivery-attempts.ts';

/**
 * First attempts that one process makes at the same time, of all its batches: PostgreSQL is what they share. One that
 * waits for its endpoint does not count after a moment, so that endpoints which hang hold up no others.
 */
const AT_ONCE = 16;
const MOMENT_MS = 250;
/** An endpoint that is slower than this, or has so often not taken what came, is left to runs that can wait for it. */
const SLOW_MS = 1_000;
const TROUBLES = 3;
/** After so long a batch begins no attempt; see its policy. */
const BUDGET_MS = 20_000;
/** Eight of a batch ask for room: more often they would keep PostgreSQL from those that have it. */
const ASK_AGAIN_MS = 100;

export interface FirstAttemptDeps extends DeliverDeps {
  /** The relay may have deliveries that waited for this batch to be done with their webhook. */
  readonly nudge: Nudge;
  /**
   * Aborted as soon as the process is told to stop. Temporal cancels only when the grace is over: a call that was begun
   * shortly before would be cut off, and repeated.
   */
  readonly stopping?: AbortSignal | undefined;
}

export interface FirstAttemptOptions {
  /** Milliseconds after which a step begins no attempt. */
  readonly budgetMs?: number;
  /** Milliseconds after which an endpoint is left to runs that can wait for it. */
  readonly slowMs?: number;
}

/** What became of a delivery, and how long its endpoint took. */
interface Outcome {
  readonly kind: keyof FirstAttemptsResult;
  readonly calledMs: number;
}

/** The tenant's calls under way, of whichever batch, are all that it is given. */
type NoRoomYet = Extract<Opening, { readonly kind: 'busy' }>;

/** What a batch carries for one webhook. */
interface Queue {
  readonly waiting: string[];
  troubles: number;
}

export const createFirstAttemptActivities = (
  deps: FirstAttemptDeps,
  { budgetMs = BUDGET_MS, slowMs = SLOW_MS }: FirstAttemptOptions = {},
) => {
  const attempts = createDeliveryAttempts(deps);
  const room = pLimit(AT_ONCE);

  async function attempt(tenantId: string, batchId: string, deliveryId: string): Promise<Outcome | NoRoomYet> {
    const opening = await attempts.open({ tenantId, deliveryId }, batchId);
    if (opening.kind === 'busy') return opening;
    if (opening.kind !== 'open') return { kind: unopened(opening), calledMs: 0 };
    const { answer, closing } = await attempts.make(tenantId, opening.attempt, batchId);
    return { kind: closed(closing), calledMs: answer.durationMs };
  }

  /** Begins the work when there is room, and makes room again when it is done or a moment later. */
  async function inRoom<T>(work: () => Promise<T>): Promise<T> {
    const { begun } = await room(async () => {
      const settled = new AbortController();
      const begun = work().finally(() => settled.abort());
      await Promise.race([begun, sleep(MOMENT_MS, undefined, { signal: settled.signal })]).catch(() => undefined);
      return { begun };
    });
    return begun;
  }

  return {
    /**
     * Makes the first attempt of each delivery that the batch has in its hands: all webhooks side by side, each endpoint
     * called twice at a time. What is not delivered leaves the batch as soon as that is known. Run again, it goes on
     * with what is left; a delivery whose attempt was begun before leaves.
     */
    async makeFirstAttempts({ tenantId, batchId, deliveries }: FirstAttemptsInput): Promise<FirstAttemptsResult> {
      const { cancellationSignal } = Context.current();
      const stop = AbortSignal.any([cancellationSignal, ...(deps.stopping ? [deps.stopping] : [])]);
      const until = performance.now() + budgetMs;
      const ofTenant = pLimit(MOST_IN_FLIGHT.tenant);
      const counts = { delivered: 0, alone: 0, ended: 0 };
      const goesOn = ({ troubles }: Queue) => troubles < TROUBLES && performance.now() < until && !stop.aborted;

      /** The attempt when its turn comes; undefined when by then none is to begin, which may be long after. */
      const inTurn = (queue: Queue, deliveryId: string) =>
        // It keeps its turn of the batch while others of the tenant have the room, or all would ask for it.
        ofTenant(async () => {
          while (goesOn(queue)) {
            const outcome = await inRoom(async () =>
              goesOn(queue) ? attempt(tenantId, batchId, deliveryId) : undefined,
            );
            if (outcome?.kind !== 'busy') return outcome;
            const askAgainMs = Math.max(ASK_AGAIN_MS, outcome.waitMs);
            await sleep(askAgainMs, undefined, { signal: stop }).catch(() => undefined);
          }
          return undefined;
        });

      async function lane(queue: Queue): Promise<void> {
        while (goesOn(queue)) {
          const deliveryId = queue.waiting.shift();
          if (deliveryId === undefined) return;
          const outcome = await inTurn(queue, deliveryId);
          if (!outcome) {
            queue.waiting.unshift(deliveryId);
            return;
          }
          const { kind, calledMs } = outcome;
          counts[kind] += 1;
          if (kind === 'alone') queue.troubles += 1;
          if (calledMs > slowMs) queue.troubles = TROUBLES;
        }
      }

      async function carry(queue: Queue): Promise<void> {
        await allOf(Array.from({ length: MOST_IN_FLIGHT.endpoint }, () => lane(queue)));
        if (!stop.aborted && queue.waiting.length > 0) {
          const leaving = queue.waiting.splice(0);
          await deps.withTenant(tenantId, (trx) => leaveBatch(trx, batchId, leaving));
          counts.alone += leaving.length;
        }
        deps.nudge();
      }

      const queues = queuesOf(deliveries);
      await allOf(queues.map(carry));
      if (cancellationSignal.aborted) await Context.current().cancelled;
      if (queues.some(({ waiting }) => waiting.length > 0)) throw goesOnElsewhere();
      return counts;
    },
  };
};
export type FirstAttemptActivities = ReturnType<typeof createFirstAttemptActivities>;

/** An expected failure: the worker stops, and whichever has the next try carries what is left. */
const goesOnElsewhere = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'WorkerStops',
    message: 'El proceso se detiene; otro sigue con lo que queda del lote',
    category: ApplicationFailureCategory.BENIGN,
  });

function unopened(opening: Exclude<Opening, { readonly kind: 'open' | 'busy' }>): Outcome['kind'] {
  if (opening.kind === 'ended') return opening.status === 'DELIVERED' ? 'delivered' : 'ended';
  return opening.kind === 'gone' ? 'ended' : 'alone';
}

function closed({ kind }: Closing): Outcome['kind'] {
  if (kind === 'delivered') return kind;
  return kind === 'exhausted' || kind === 'gone' ? 'ended' : 'alone';
}

function queuesOf(deliveries: FirstAttemptsInput['deliveries']): readonly Queue[] {
  const queues = new Map<string, Queue>();
  for (const { webhookId, deliveryId } of deliveries) {
    const queue = queues.get(webhookId) ?? { waiting: [], troubles: 0 };
    queue.waiting.push(deliveryId);
    queues.set(webhookId, queue);
  }
  return [...queues.values()];
}

/** Waits for all of them, then fails if one did: nothing goes on behind the step's back. */
async function allOf(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((work) => work.status === 'rejected');
  if (failed) throw failed.reason;
}
