/** A place at which the process is held, the first time that it gets there for this business. */
export interface Stop {
  readonly place: string;
  readonly tenantId: string;
}

/** Messages to the process. */
export interface Heard {
  /** The places to hold at from now on; work held elsewhere continues. */
  readonly standAt: readonly Stop[];
  /** Businesses for which it reports each place that it passes; none by default. */
  readonly watch?: readonly string[];
}

/** Messages from the process, except that it is ready. */
export type Said = { readonly armed: true } | { readonly reached: Stop } | { readonly passed: Stop };

export const isSame = (one: Stop, other: Stop): boolean => one.place === other.place && one.tenantId === other.tenantId;
