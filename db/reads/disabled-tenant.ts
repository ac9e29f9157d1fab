import { Tenant } from '../models/tenant.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** Whether an operator has disabled the tenant of this transaction. A deleted tenant counts as disabled. */
export async function isTenantDisabled(trx: TenantTransaction): Promise<boolean> {
  const tenant = await Tenant.query(trx).findById(tenantOf(trx)).select('disabledAt');
  return tenant === undefined || tenant.disabledAt !== null;
}
