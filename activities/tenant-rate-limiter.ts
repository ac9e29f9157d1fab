/** Spaces work at equal intervals, per tenant: much of a tenant's work may become due at the same moment. */
export interface TenantRateLimiter {
  /** Reserves the tenant's next slot, and returns the milliseconds until it begins. */
  reserve(tenantId: string): number;
}

/** @param now milliseconds, of any clock */
export function createTenantRateLimiter(
  perSecond: number,
  now: () => number = () => performance.now(),
): TenantRateLimiter {
  const intervalMs = 1_000 / perSecond;
  const nextSlotAt = new Map<string, number>();
  return {
    reserve(tenantId) {
      const at = now();
      // A map iterates in the order of insertion, which is about that of the slots: expired entries are the first.
      for (const [tenant, slotAt] of nextSlotAt) {
        if (slotAt > at) break;
        nextSlotAt.delete(tenant);
      }
      const slotAt = Math.max(at, nextSlotAt.get(tenantId) ?? at);
      nextSlotAt.delete(tenantId);
      nextSlotAt.set(tenantId, slotAt + intervalMs);
      return slotAt - at;
    },
  };
}
