import { User } from '../../db/models/user.ts';
import type { Deps } from '../deps.ts';

/**
 * Whether an account with a confirmed address has it. A registration that was not confirmed, or an invitation that was not
 * accepted, does not keep an address from its owner.
 */
export async function isAddressTaken(
  { lookups, withTenant }: Pick<Deps, 'lookups' | 'withTenant'>,
  email: string,
): Promise<boolean> {
  const found = await lookups.userByEmail(email);
  if (!found) return false;
  const { tenantId, userId: id } = found;
  const user = await withTenant(tenantId, (trx) => User.query(trx).findOne({ tenantId, id }));
  return user !== undefined && user.emailVerifiedAt !== null;
}
