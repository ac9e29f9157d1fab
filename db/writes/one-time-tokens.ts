import type { AccountMailKind } from '../../domain/account-mail.ts';
import { OneTimeToken } from '../models/one-time-token.ts';
import { User } from '../models/user.ts';
import { isTenantDisabled } from '../reads/disabled-tenant.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/**
 * Uses a one-time token up and returns its user, or undefined when it does not work (any more): used, expired, for
 * another purpose, of somebody who was deactivated, or of a disabled business. The user's other links of that kind end with it.
 */
export async function useOneTimeToken(
  trx: TenantTransaction,
  tokenId: string,
  kind: AccountMailKind,
): Promise<User | undefined> {
  const tenantId = tenantOf(trx);
  const known = await OneTimeToken.query(trx).findOne({ tenantId, id: tokenId, kind });
  if (!known) return undefined;
  // The user's row first, as everywhere: two links of one user come one after the other.
  const user = await User.query(trx).findOne({ tenantId, id: known.userId }).forNoKeyUpdate();
  const token = await OneTimeToken.query(trx).findOne({ tenantId, id: tokenId }).whereNull('usedAt');
  const now = new Date();
  if (!user?.isActive || !token || token.expiresAt <= now || (await isTenantDisabled(trx))) return undefined;
  await OneTimeToken.query(trx).where({ tenantId, userId: user.id, kind }).whereNull('usedAt').patch({ usedAt: now });
  return user;
}

/** How many such links were made for a user in the last hour. */
export async function recentTokens(trx: TenantTransaction, userId: string): Promise<number> {
  return OneTimeToken.query(trx)
    .where({ tenantId: tenantOf(trx), userId })
    .where('createdAt', '>', new Date(Date.now() - 60 * 60 * 1000))
    .resultSize();
}
