/** The allowed slowdown of another tenant's work while one tenant is heavy: a factor or a number of milliseconds. */
const SLOWER = { times: 3, byMs: 500 } as const;

/** The limit for a percentile that is `alone` milliseconds without the heavy tenant. */
export const limitOf = (alone: number): number => Math.max(alone * SLOWER.times, alone + SLOWER.byMs);

/** The nearest-rank percentile, rounded; Infinity for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? Infinity);
}
