import type { TenantTransaction } from '../with-tenant.ts';

/**
 * What time it is now by PostgreSQL's clock, the one that all processes share: whatever one process writes down and
 * another compares with must not depend on how right their own clocks are.
 */
export async function databaseTime(trx: TenantTransaction): Promise<Date> {
  // Not now(): that is when the transaction began, and it may have waited for a lock since.
  const { rows } = await trx.raw<{ rows: { now: Date }[] }>('select clock_timestamp() as now');
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL does not know the time');
  return row.now;
}
