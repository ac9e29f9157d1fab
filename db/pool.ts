import type { Knex } from 'knex';

/** Knex's pool, as far as we ask it. */
interface Pool {
  readonly max: number;
  numUsed(): number;
  numPendingAcquires(): number;
}

/** How the connections of a pool are used at this moment. */
export function poolFigures(knex: Knex): { readonly inUse: number; readonly waiting: number; readonly most: number } {
  // Knex declares its client as any; the pool is tarn's, and gone once it was destroyed.
  const { pool } = knex.client as { readonly pool?: Pool };
  return { inUse: pool?.numUsed() ?? 0, waiting: pool?.numPendingAcquires() ?? 0, most: pool?.max ?? 0 };
}
