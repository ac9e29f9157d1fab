/** A place at which the worker stands, the first time that it comes there for this business. */
export interface Stop {
  readonly place: string;
  readonly tenantId: string;
}

/** What the worker is told: where to stand from now on. Who stands elsewhere goes on. */
export interface Heard {
  readonly standAt: readonly Stop[];
}

/** What it says, beside that it is ready. */
export type Said = { readonly armed: true } | { readonly reached: Stop };

export const isSame = (one: Stop, other: Stop): boolean => one.place === other.place && one.tenantId === other.tenantId;
