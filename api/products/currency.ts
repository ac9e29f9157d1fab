import { Tenant } from '../../db/models/tenant.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { assertFeature } from '../../domain/plans.ts';

/**
 * The currency of a product's price: the given one, or that of the business.
 * spec gap: which uses of a foreign currency are "Multi-currency". A foreign price in the catalogue is one, as it is in
 * a quote.
 */
export async function productCurrency(
  trx: TenantTransaction,
  { tenantId, plan }: Caller,
  given: string | undefined,
): Promise<string> {
  const { currency } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  if (given !== undefined && given !== currency) assertFeature(plan, 'multi_currency');
  return given ?? currency;
}
