/** Turns at equal distances, for each tenant its own: much of one's work may come due at the same moment. */
export interface Turns {
  /** Takes the tenant's next turn, and returns how many milliseconds it is away. */
  next(tenantId: string): number;
}

/** @param now milliseconds, on whichever clock */
export function createTurns(perSecond: number, now: () => number = () => performance.now()): Turns {
  const everyMs = 1_000 / perSecond;
  const free = new Map<string, number>();
  return {
    next(tenantId) {
      const at = now();
      // In the order of insertion, which is about that of their turns: those that are over are the first.
      for (const [tenant, freeAt] of free) {
        if (freeAt > at) break;
        free.delete(tenant);
      }
      const turn = Math.max(at, free.get(tenantId) ?? at);
      free.delete(tenantId);
      free.set(tenantId, turn + everyMs);
      return turn - at;
    },
  };
}
