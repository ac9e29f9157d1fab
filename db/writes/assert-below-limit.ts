import { limitReached } from '../../domain/errors.ts';
import { type Limited, MAX_PER_TENANT } from '../../domain/tenant-limits.ts';
import { ApiKey } from '../models/api-key.ts';
import { Automation } from '../models/automation.ts';
import { Tenant } from '../models/tenant.ts';
import { Webhook } from '../models/webhook.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

const COUNTS: Readonly<Record<Limited, (trx: TenantTransaction, tenantId: string) => Promise<number>>> = {
  webhooks: (trx, tenantId) => Webhook.query(trx).where({ tenantId }).resultSize(),
  automations: (trx, tenantId) => Automation.query(trx).where({ tenantId }).resultSize(),
  apiKeys: (trx, tenantId) =>
    ApiKey.query(trx)
      .where({ tenantId })
      .whereNull('revokedAt')
      .whereRaw('(expires_at is null or expires_at > now())')
      .resultSize(),
};

/** Throws the 409 when the business has as many as it may. The caller inserts one in the same transaction. */
export async function assertBelowLimit(trx: TenantTransaction, what: Limited): Promise<void> {
  const tenantId = tenantOf(trx);
  // Two creates that race for the last place must meet here: the second counts what the first has committed.
  await Tenant.query(trx).findById(tenantId).forNoKeyUpdate();
  if ((await COUNTS[what](trx, tenantId)) >= MAX_PER_TENANT[what]) throw limitReached(what);
}
