/**
 * A run costs Temporal's development server some 80 ms of CPU. Each delivery has one of its own as long as so few come in a
 * second that they cost it no more than that; when more come, one run carries the first attempts of many.
 */
const FEW = 16;
const SECOND_MS = 1_000;

/** What runs one relay gave to deliveries lately. */
export interface Pace {
  /** Whether so many more are few; if so, they count from now on, for a second. */
  allows(count: number): boolean;
  /** Whether deliveries to that webhook were put together within the last second. */
  hadBatch(webhookId: string): boolean;
  gaveBatches(webhookIds: readonly string[]): void;
}

/** @param now milliseconds, on whichever clock */
export function createPace(now: () => number = () => performance.now()): Pace {
  const batches = new Map<string, number>();
  let given: readonly { readonly at: number; readonly count: number }[] = [];
  return {
    allows(count) {
      const at = now();
      given = given.filter((one) => at - one.at < SECOND_MS);
      if (given.reduce((sum, one) => sum + one.count, count) > FEW) return false;
      given = [...given, { at, count }];
      return true;
    },
    hadBatch: (webhookId) => now() - (batches.get(webhookId) ?? -Infinity) < SECOND_MS,
    gaveBatches(webhookIds) {
      const at = now();
      for (const [webhookId, then] of batches) if (at - then >= SECOND_MS) batches.delete(webhookId);
      for (const webhookId of webhookIds) batches.set(webhookId, at);
    },
  };
}
