import { type AccountMailKind, LINK_LIFE_MS } from '../../domain/account-mail.ts';
import { newId } from '../ids.ts';
import { OneTimeToken } from '../models/one-time-token.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** A one-time token of a user, of which only the hash is stored. The user's older ones of that kind end: only the newest works. */
export async function createOneTimeToken(
  trx: TenantTransaction,
  { userId, kind, tokenHash }: { userId: string; kind: AccountMailKind; tokenHash: string },
): Promise<string> {
  const tenantId = tenantOf(trx);
  const id = newId();
  await OneTimeToken.query(trx).where({ tenantId, userId, kind }).whereNull('usedAt').patch({ usedAt: new Date() });
  const expiresAt = new Date(Date.now() + LINK_LIFE_MS[kind]);
  await OneTimeToken.query(trx).insert({ id, tenantId, userId, kind, hash: tokenHash, expiresAt });
  return id;
}
