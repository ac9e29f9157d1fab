import { Tenant } from '../../db/models/tenant.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { nextQuoteNumberOf } from './numbering.ts';
import { businessNotFound } from '../../domain/errors.ts';

/** The row of the business. Throws the 404 «Negocio no encontrado». */
export async function findBusiness(trx: TenantTransaction, tenantId: string): Promise<Tenant> {
  const tenant = await Tenant.query(trx).findById(tenantId);
  if (!tenant) throw businessNotFound();
  return tenant;
}

/** A business with the number of its next quote. */
export interface Business {
  readonly tenant: Tenant;
  readonly nextQuoteNumber: number;
}

export const findSettings = async (trx: TenantTransaction, tenantId: string): Promise<Business> => ({
  tenant: await findBusiness(trx, tenantId),
  nextQuoteNumber: await nextQuoteNumberOf(trx, tenantId),
});

/** Like `findBusiness`, with a lock until the transaction ends, which serializes changes of settings. */
export async function lockBusiness(trx: TenantTransaction, tenantId: string): Promise<Tenant> {
  const tenant = await Tenant.query(trx).findById(tenantId).forUpdate();
  if (!tenant) throw businessNotFound();
  return tenant;
}
