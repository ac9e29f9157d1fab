import { emailTaken } from '../../domain/errors.ts';
import type { Plan } from '../../domain/plans.ts';
import { newId, newSlug } from '../ids.ts';
import { Tenant } from '../models/tenant.ts';
import { User } from '../models/user.ts';
import { violatedConstraint } from '../violated-constraint.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { recordAudit } from './record-audit.ts';

export interface NewBusiness {
  readonly tenantId: string;
  readonly businessName: string;
  readonly plan: Plan;
  /** Whether the owner's address counts as confirmed; an owner without a password confirms it with the invitation. */
  readonly isVerified: boolean;
  readonly owner: { readonly name: string; readonly email: string; readonly passwordHash: string | null };
  /** Who registers it: the owner, or an operator for an owner who has no password yet. */
  readonly by: { readonly kind: 'user' | 'operator'; readonly requestId: string | null };
}

/** A new business with its first owner, in a transaction of the tenant that it will be. Throws when the e-mail is taken. */
export async function registerTenant(trx: TenantTransaction, business: NewBusiness): Promise<User> {
  const {
    tenantId,
    owner,
    by: { kind, requestId },
  } = business;
  await Tenant.query(trx).insert({
    id: tenantId,
    slug: newSlug(),
    companyName: business.businessName,
    email: owner.email,
    plan: business.plan,
    isVerified: business.isVerified,
  });
  await trx('quoteCounters').insert({ tenantId, lastNumber: 0 });
  const user = await insertOwner(trx, business);
  await recordAudit(
    trx,
    { tenantId, userId: kind === 'user' ? user.id : null, kind, requestId },
    { action: 'create', entity: 'tenant', entityId: tenantId, metadata: { companyName: business.businessName } },
  );
  return user;
}

async function insertOwner(trx: TenantTransaction, { tenantId, owner, isVerified }: NewBusiness): Promise<User> {
  try {
    return await User.query(trx).insertAndFetch({
      id: newId(),
      tenantId,
      role: 'OWNER',
      ...owner,
      emailVerifiedAt: isVerified ? new Date() : null,
    });
  } catch (error) {
    // The unique index over all tenants decides, not a check beforehand: two may register concurrently.
    if (violatedConstraint(error) === 'users_email') throw emailTaken();
    throw error;
  }
}
