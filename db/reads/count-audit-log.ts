import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/**
 * How many entries the business's audit log has. Nothing is added to what is sealed, and a seal says how many entries it
 * holds, so only those after the newest seal are counted; one that is made meanwhile makes no difference.
 */
export async function countAuditLog(trx: TenantTransaction): Promise<number> {
  const tenantId = tenantOf(trx);
  const [sealed = { entries: 0, until: null }]: Sealed[] = await trx('auditSeals')
    .where({ tenantId })
    // As text: a Date would cut the microseconds.
    .select({ entries: trx.raw('coalesce(sum(entries), 0)::int'), until: trx.raw('max(until_at)::text') });
  // A statement of its own: from a time that it has to look up, the planner expects a third of the log.
  const later = trx('auditLogs').where({ tenantId });
  if (sealed.until !== null) void later.where('createdAt', '>=', sealed.until);
  const [counted] = await later.count<{ count: string }[]>('* as count');
  return sealed.entries + Number(counted?.count ?? 0);
}

interface Sealed {
  readonly entries: number;
  readonly until: string | null;
}
