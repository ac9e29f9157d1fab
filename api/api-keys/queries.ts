import { ApiKey } from '../../db/models/api-key.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { can } from '../../domain/permissions.ts';

/** The keys that are not revoked and that the caller may manage: their own, and with `config:manage` those of all members. */
export function manageableKeys(trx: TenantTransaction, { tenantId, userId, role }: Caller) {
  const keys = ApiKey.query(trx).where({ tenantId }).whereNull('revokedAt');
  return can(role, 'config:manage') ? keys : keys.where({ userId });
}
