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
  putTogether(webhookIds: readonly string[]): void;
  /** Webhooks whose deliveries were put together within the last second. */
  recentlyTogether(): readonly string[];
}

/** @param now milliseconds, on whichever clock */
export function createPace(now: () => number = () => performance.now()): Pace {
  const together = new Map<string, number>();
  let given: readonly { readonly at: number; readonly count: number }[] = [];
  return {
    allows(count) {
      const at = now();
      given = given.filter((one) => at - one.at < SECOND_MS);
      if (given.reduce((sum, one) => sum + one.count, count) > FEW) return false;
      given = [...given, { at, count }];
      return true;
    },
    putTogether(webhookIds) {
      for (const webhookId of webhookIds) together.set(webhookId, now());
    },
    recentlyTogether() {
      for (const [webhookId, at] of together) if (now() - at >= SECOND_MS) together.delete(webhookId);
      return [...together.keys()];
    },
  };
}
