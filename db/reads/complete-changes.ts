import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/**
 * The time, in microseconds since 1970, before which no further change of the tenant's quotes and clients can become
 * visible. Ask in a statement before the one that reads, and not in a snapshot: a change that ends in between would be
 * before the time but not in the snapshot (docs/architecture.md#synchronisation).
 */
export async function changesCompleteUntil(trx: TenantTransaction): Promise<string> {
  const { rows } = await trx.raw<{ rows: { until: string; isolation: string }[] }>(
    `select (extract(epoch from changes_complete_until(?)) * 1000000)::bigint::text as until,
            current_setting('transaction_isolation') as isolation`,
    [tenantOf(trx)],
  );
  const [row] = rows;
  if (row?.isolation !== 'read committed') throw new Error('changes are never read in a snapshot');
  return row.until;
}
