import { Tenant } from '../../db/models/tenant.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { businessNotFound } from '../../domain/errors.ts';

/** The business itself. Throws the 404 «Negocio no encontrado». */
export async function findBusiness(trx: TenantTransaction, tenantId: string): Promise<Tenant> {
  const tenant = await Tenant.query(trx).findById(tenantId);
  if (!tenant) throw businessNotFound();
  return tenant;
}

/** The same, its row locked until the transaction ends: settings change one after the other. */
export async function lockBusiness(trx: TenantTransaction, tenantId: string): Promise<Tenant> {
  const tenant = await Tenant.query(trx).findById(tenantId).forUpdate();
  if (!tenant) throw businessNotFound();
  return tenant;
}
