/**
 * When an endpoint of a user is left alone (decisions, section 6): after some failures in a row it is asked once a
 * minute whether it is back, and all else that is due for it waits without spending attempts. State and clock are the
 * caller's; nothing is remembered here.
 */

/** Failures in a row, over all of its deliveries, after which an endpoint is only probed. */
export const FAILURES_TO_OPEN = 5;
/** Seconds from one probe to the next, unless configured. */
export const PROBE_PAUSE_S = 60;

/** What is known of an endpoint: columns of its webhook, so that every worker sees the same. */
export interface EndpointHealth {
  readonly failuresInRow: number;
  /** The first failure since the last success; null while it works. */
  readonly failingSince: Date | null;
  /** When the next probe may begin; null until there were enough failures. */
  readonly probeAt: Date | null;
  /** The last of the turns that were given to deliveries which must wait. */
  readonly turnAt: Date | null;
}

/** An endpoint that works, or of which nothing is known yet: a success, a new address, switched on again. */
export const HEALTHY: EndpointHealth = { failuresInRow: 0, failingSince: null, probeAt: null, turnAt: null };

/** Until when the endpoint is left alone, or undefined when it may be called: it works, or a probe is due. */
export function heldUntil({ failuresInRow, probeAt }: EndpointHealth, now: Date): Date | undefined {
  return failuresInRow >= FAILURES_TO_OPEN && probeAt !== null && probeAt > now ? probeAt : undefined;
}

/** What a call that begins changes: one to an endpoint that is left alone is a probe, and puts off the next. */
export function afterCalling({ failuresInRow }: EndpointHealth, now: Date, probeMs: number): Partial<EndpointHealth> {
  return failuresInRow >= FAILURES_TO_OPEN ? { probeAt: later(now, probeMs) } : {};
}

/** What a failure changes. A probe that fails has put off the next when it began. */
export function afterFailure(health: EndpointHealth, now: Date, probeMs: number): Partial<EndpointHealth> {
  const failuresInRow = health.failuresInRow + 1;
  const opens = failuresInRow >= FAILURES_TO_OPEN && health.probeAt === null;
  return {
    failuresInRow,
    failingSince: health.failingSince ?? now,
    ...(opens ? { probeAt: later(now, probeMs) } : {}),
  };
}

/**
 * When a delivery that cannot be made now asks again, and the last turn that is given then. Turns follow each other at
 * `gapMs`, so that however many wait for an endpoint, they ask for it at one and the same rate; the first is not before
 * `from`, and nobody waits beyond `latest`.
 */
export function takeTurn(
  { turnAt }: EndpointHealth,
  { from, gapMs, latest }: { from: Date; gapMs: number; latest: Date },
): { readonly at: Date; readonly turnAt: Date | null } {
  const turn = later(turnAt !== null && turnAt > from ? turnAt : from, gapMs);
  // Whoever does not queue to the end leaves the end where it is; else it would run away from those who come sooner.
  return turn <= latest ? { at: turn, turnAt: turn } : { at: latest, turnAt };
}

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
