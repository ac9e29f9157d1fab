import type { Plan } from '../../domain/plans.ts';
import { Session } from '../models/session.ts';
import { Tenant } from '../models/tenant.ts';
import { type TenantTransaction, tenantOf } from '../with-tenant.ts';
import { recordAudit } from './record-audit.ts';

/**
 * Disables the tenant of this transaction; only operators do it. Sign-ins and keys are refused, and sessions end.
 * It is on FREE until it is enabled, so automations, webhooks, reminders and the portal stop as after a downgrade.
 * Returns false when it was disabled already.
 */
export async function disableTenant(trx: TenantTransaction): Promise<boolean> {
  const tenant = await lockTenant(trx);
  if (tenant.disabledAt) return false;
  const now = new Date();
  await Tenant.query(trx)
    .findById(tenant.id)
    .patch({ disabledAt: now, plan: 'FREE', planWhenEnabled: tenant.plan, updatedAt: now });
  await Session.query(trx).where({ tenantId: tenant.id }).whereNull('revokedAt').patch({ revokedAt: now });
  await recordChange(trx, { isDisabled: false, plan: tenant.plan }, { isDisabled: true, plan: 'FREE' });
  return true;
}

/** Enables a disabled tenant, on the plan that it had. Its keys work again; its sessions do not. Returns false when it was enabled. */
export async function enableTenant(trx: TenantTransaction): Promise<boolean> {
  const tenant = await lockTenant(trx);
  if (!tenant.disabledAt) return false;
  const plan = tenant.planWhenEnabled ?? tenant.plan;
  await Tenant.query(trx)
    .findById(tenant.id)
    .patch({ disabledAt: null, plan, planWhenEnabled: null, updatedAt: new Date() });
  await recordChange(trx, { isDisabled: true, plan: tenant.plan }, { isDisabled: false, plan });
  return true;
}

const lockTenant = (trx: TenantTransaction): PromiseLike<Tenant> =>
  Tenant.query(trx).findById(tenantOf(trx)).forUpdate().throwIfNotFound();

interface Standing {
  readonly isDisabled: boolean;
  readonly plan: Plan;
}

async function recordChange(trx: TenantTransaction, before: Standing, after: Standing): Promise<void> {
  const tenantId = tenantOf(trx);
  await recordAudit(
    trx,
    { tenantId, userId: null, kind: 'operator', requestId: null },
    { action: 'update', entity: 'tenant', entityId: tenantId, metadata: { before, after } },
  );
}
