import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/**
 * The number of entries of the business's audit log. Sealed spans are immutable and each seal states its number of
 * entries, so only those after the newest seal are counted; a seal made meanwhile does not change the sum.
 */
export async function countAuditLog(trx: TenantTransaction): Promise<number> {
  const tenantId = tenantOf(trx);
  const [sealed = { entries: 0, until: null }]: Sealed[] = await trx('auditSeals')
    .where({ tenantId })
    // As text: a Date would truncate the microseconds.
    .select({ entries: trx.raw('coalesce(sum(entries), 0)::int'), until: trx.raw('max(until_at)::text') });
  // A separate statement: for a time from a subquery the planner would expect a third of the log.
  const later = trx('auditLogs').where({ tenantId });
  if (sealed.until !== null) void later.where('createdAt', '>=', sealed.until);
  const [counted] = await later.count<{ count: string }[]>('* as count');
  return sealed.entries + Number(counted?.count ?? 0);
}

interface Sealed {
  readonly entries: number;
  readonly until: string | null;
}
