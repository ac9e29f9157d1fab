import type { TenantTransaction } from '../with-tenant.ts';

/**
 * The current time of PostgreSQL's clock, which all processes share: times that one process writes and another compares
 * must not depend on their own clocks.
 */
export async function databaseTime(trx: TenantTransaction): Promise<Date> {
  // Not now(), which is the start of the transaction: it may have waited for a lock since.
  const { rows } = await trx.raw<{ rows: { now: Date }[] }>('select clock_timestamp() as now');
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL does not know the time');
  return row.now;
}
