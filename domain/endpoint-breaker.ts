/**
 * The circuit breaker of a user's endpoint: after some consecutive failures it is only probed, once a minute, and all else
 * that is due for it waits without spending attempts. State and clock are the caller's.
 */

/** Consecutive failures, over all of its deliveries, after which an endpoint is only probed. */
export const FAILURES_TO_OPEN = 5;
/** Seconds from one probe to the next, unless configured. */
export const PROBE_PAUSE_S = 60;

/** What is known of an endpoint: columns of its webhook, so that every worker sees the same. */
export interface EndpointHealth {
  readonly consecutiveFailures: number;
  /** The first failure since the last success; null while it works. */
  readonly failingSince: Date | null;
  /** When the next probe may begin; null until there were enough failures. */
  readonly nextProbeAt: Date | null;
  /** The last slot that was reserved by a delivery which must wait. */
  readonly nextSlotAt: Date | null;
}

/** An endpoint that works, or of which nothing is known yet: a success, a new address, switched on again. */
export const HEALTHY: EndpointHealth = {
  consecutiveFailures: 0,
  failingSince: null,
  nextProbeAt: null,
  nextSlotAt: null,
};

/** Until when the circuit is open, or undefined when the endpoint may be called: it works, or a probe is due. */
export function circuitOpenUntil({ consecutiveFailures, nextProbeAt }: EndpointHealth, now: Date): Date | undefined {
  return consecutiveFailures >= FAILURES_TO_OPEN && nextProbeAt !== null && nextProbeAt > now ? nextProbeAt : undefined;
}

/** What a call that begins changes: while the circuit is open it is a probe, and defers the next. */
export function onProbe({ consecutiveFailures }: EndpointHealth, now: Date, probeMs: number): Partial<EndpointHealth> {
  return consecutiveFailures >= FAILURES_TO_OPEN ? { nextProbeAt: later(now, probeMs) } : {};
}

/** What a failure changes. A probe deferred the next one when it began. */
export function afterFailure(health: EndpointHealth, now: Date, probeMs: number): Partial<EndpointHealth> {
  const consecutiveFailures = health.consecutiveFailures + 1;
  const opens = consecutiveFailures >= FAILURES_TO_OPEN && health.nextProbeAt === null;
  return {
    consecutiveFailures,
    failingSince: health.failingSince ?? now,
    ...(opens ? { nextProbeAt: later(now, probeMs) } : {}),
  };
}

/**
 * When a delivery that cannot be attempted now retries, and the last slot that is reserved then. Slots follow each other at
 * `gapMs`, so that however many deliveries wait for an endpoint, they retry at one and the same rate; the first is not
 * before `from`, and none is after `latest`.
 */
export function reserveSlot(
  { nextSlotAt }: EndpointHealth,
  { from, gapMs, latest }: { from: Date; gapMs: number; latest: Date },
): { readonly at: Date; readonly nextSlotAt: Date | null } {
  const slot = later(nextSlotAt !== null && nextSlotAt > from ? nextSlotAt : from, gapMs);
  // A delivery capped at `latest` must not advance `nextSlotAt`, or later arrivals would be pushed out without bound.
  return slot <= latest ? { at: slot, nextSlotAt: slot } : { at: latest, nextSlotAt };
}

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
