import type { Plan } from '../../domain/plans.ts';
import { Tenant } from '../models/tenant.ts';
import { type TenantTransaction, tenantOf } from '../with-tenant.ts';
import { recordAudit } from './record-audit.ts';

/**
 * Puts the business of this transaction on a plan; only operators do it. Each request and each
 * step of a workflow reads the current plan, so a change applies immediately, without a signal. Returns the plan before; the
 * same plan changes nothing and leaves no entry. A disabled business is on that plan when it is enabled.
 */
export async function changePlan(trx: TenantTransaction, plan: Plan): Promise<Plan> {
  const tenantId = tenantOf(trx);
  const tenant = await Tenant.query(trx).findById(tenantId).forUpdate().throwIfNotFound();
  const before = tenant.planWhenEnabled ?? tenant.plan;
  if (before === plan) return plan;
  const patch = tenant.disabledAt ? { planWhenEnabled: plan } : { plan };
  await Tenant.query(trx)
    .findById(tenantId)
    .patch({ ...patch, updatedAt: new Date() });
  await recordAudit(
    trx,
    { tenantId, userId: null, kind: 'operator', requestId: null },
    {
      action: 'update',
      entity: 'tenant',
      entityId: tenantId,
      metadata: { before: { plan: before }, after: { plan } },
    },
  );
  return before;
}
