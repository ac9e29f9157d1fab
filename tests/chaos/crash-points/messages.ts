/** A place at which the process stands, the first time that it comes there for this business. */
export interface Stop {
  readonly place: string;
  readonly tenantId: string;
}

/** Messages to the process. */
export interface Heard {
  /** Where to stand from now on. Who stands elsewhere goes on. */
  readonly standAt: readonly Stop[];
  /** Businesses on whose behalf it says each place that it passes; none when left out. */
  readonly watch?: readonly string[];
}

/** What it says, beside that it is ready. */
export type Said = { readonly armed: true } | { readonly reached: Stop } | { readonly passed: Stop };

export const isSame = (one: Stop, other: Stop): boolean => one.place === other.place && one.tenantId === other.tenantId;
