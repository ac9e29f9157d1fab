import { hasFeature } from '../../domain/plans.ts';
import { Quote } from '../models/quote.ts';
import { Tenant } from '../models/tenant.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** The sealed token of the quote's page; null when the business's plan has no client page. */
export async function sealedPortalToken(trx: TenantTransaction, quoteId: string): Promise<string | null> {
  const tenantId = tenantOf(trx);
  const tenant = await Tenant.query(trx).findById(tenantId);
  if (!tenant || !hasFeature(tenant.plan, 'client_portal')) return null;
  const quote = await Quote.query(trx).findOne({ tenantId, id: quoteId });
  return quote?.publicTokenSealed ?? null;
}
