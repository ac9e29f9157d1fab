import { createFairQueue, type FairQueue, type QueueWatch, Throttled } from '../adapters/fair-queue.ts';
import { throttled } from './throttled.ts';

/** Of a worker process. Each takes up to ten seconds when its endpoint hangs. */
export const MAX_CONCURRENT_DELIVERIES = 64;

/** Permits of a worker process for activities that call external systems. A tenant holds at most half of them. */
export interface ActivityPermits {
  /** Mails that a person has asked for: shares, invitations, password resets. */
  readonly requestedMail: FairQueue;
  /** Mails of automations and reminders. */
  readonly automaticMail: FairQueue;
  /** Calls of fire_webhook. */
  readonly fireWebhook: FairQueue;
  /**
   * Attempts of deliveries, whose endpoints may hang: fewer than the worker has slots for activities. A tenant has a lower
   * limit of its own, over all processes (db/webhooks/begin-attempt.ts).
   */
  readonly deliveries: FairQueue;
}

/** @param watch what a queue reports to, by its name in the metrics */
export function createActivityPermits(watch?: (queue: string) => QueueWatch): ActivityPermits {
  const queue = (name: string, permits: number) =>
    createFairQueue({
      permits,
      // Nothing waits here, so nothing is shared fairly: with all but one each, two busy tenants would leave no permit.
      permitsPerKey: permits / 2,
      maxWaitingPerKey: 0,
      maxWaiting: 0,
      retryAfterSeconds: 1,
      ...(watch && { watch: watch(name) }),
    });
  return {
    requestedMail: queue('requested_mail', 16),
    automaticMail: queue('automatic_mail', 16),
    fireWebhook: queue('fire_webhook', 8),
    deliveries: queue('deliveries', MAX_CONCURRENT_DELIVERIES),
  };
}

/**
 * Runs an activity's work with a permit of its tenant. Without one the activity fails as throttled before it has done
 * anything: it frees its slot and Temporal retries it.
 */
export async function withPermit<T>(
  { queue, tenantId, maxPauseMs }: { queue: FairQueue; tenantId: string; maxPauseMs: number },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await queue.run({ key: tenantId, wait: 'never' }, work);
  } catch (error) {
    throw error instanceof Throttled ? throttled(error, maxPauseMs) : error;
  }
}
