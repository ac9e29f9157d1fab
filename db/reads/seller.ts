import type { Tenant } from '../models/tenant.ts';
import { User } from '../models/user.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import type { FullQuote } from './full-quote.ts';

/** The contact for a quote, in mails, documents and on the page. */
export interface Seller {
  readonly name: string;
  readonly email: string;
}

/** The quote's creator; the business when the creator was deactivated, and so may no longer receive its mail. */
export async function sellerOf(trx: TenantTransaction, quote: FullQuote, tenant: Tenant): Promise<Seller> {
  const { name, email, isActive } = quote.user;
  if (isActive) return { name, email };
  return { name: tenant.companyName, email: tenant.email ?? (await addressOfOwner(trx, tenant.id)) };
}

/** A business always has an active owner. */
async function addressOfOwner(trx: TenantTransaction, tenantId: string): Promise<string> {
  const owner = await User.query(trx)
    .findOne({ tenantId, role: 'OWNER', isActive: true })
    .orderBy(['createdAt', 'id'])
    .throwIfNotFound();
  return owner.email;
}
