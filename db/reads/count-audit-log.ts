import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/**
 * How many entries the business's audit log has. Nothing is added to what is sealed, and a seal says how many entries it
 * holds, so only those after the newest seal are counted. One statement, for a seal may be made meanwhile.
 */
export async function countAuditLog(trx: TenantTransaction): Promise<number> {
  const { rows } = await trx.raw<{ rows: { total: number }[] }>(
    `select (coalesce(sum(entries), 0) + (
        select count(*) from audit_logs
         where tenant_id = :tenantId and created_at >= coalesce(max(until_at), '-infinity')))::int as total
       from audit_seals where tenant_id = :tenantId`,
    { tenantId: tenantOf(trx) },
  );
  return rows[0]?.total ?? 0;
}
