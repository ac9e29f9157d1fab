import { AuditLog } from '../models/audit-log.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { recordAudit } from './record-audit.ts';

/**
 * Audits a failed sign-in to an account, at most once a minute for each: guesses must not fill the audit log. The address
 * that was typed and the password are not kept.
 */
export async function recordFailedSignIn(
  trx: TenantTransaction,
  { userId, ip, requestId }: { userId: string; ip: string; requestId: string },
): Promise<void> {
  const tenantId = tenantOf(trx);
  // Without the lock, another transaction is about to write the entry of this minute.
  const { rows } = await trx.raw<{ rows: { locked: boolean }[] }>(
    'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as locked',
    [`failed sign-in ${userId}`],
  );
  if (!rows[0]?.locked) return;
  const recent = await AuditLog.query(trx)
    .where({ tenantId, action: 'login_failed', entityId: userId })
    .where('createdAt', '>', trx.raw("clock_timestamp() - interval '1 minute'"))
    .first();
  if (recent) return;
  await recordAudit(
    trx,
    // Who typed it is not known.
    { tenantId, userId: null, kind: 'service', requestId },
    { action: 'login_failed', entity: 'collaborator', entityId: userId, metadata: { ip } },
  );
}
