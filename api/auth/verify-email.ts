import { hashToken } from '../../adapters/crypto/tokens.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { User } from '../../db/models/user.ts';
import { recentTokens, useOneTimeToken } from '../../db/writes/one-time-tokens.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { violatedConstraint } from '../../db/violated-constraint.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { emailTaken, linkNotValid } from '../../domain/errors.ts';
import { verificationLimitReached } from '../../domain/request-refusals.ts';
import type { Deps } from '../deps.ts';
import { mailOneTimeLink } from './one-time-link.ts';

/** In addition to the one of the registration. */
const MAX_MAILS_PER_HOUR = 3;
const HOUR_SECONDS = 3600;

/**
 * Confirms the address of a registration with the mailed token, which lets the business work. Throws a 400 for a token that
 * is not valid: also of an older registration of the address, whose password somebody else may have chosen.
 */
export async function verifyEmail(deps: Deps, token: string, requestId: string): Promise<void> {
  const found = await deps.lookups.oneTimeToken(hashToken(token));
  if (!found) throw linkNotValid();
  await deps.withTenant(found.tenantId, async (trx) => {
    const user = await useOneTimeToken(trx, found.tokenId, 'email_verification');
    if (!user) throw linkNotValid();
    const newest = await deps.lookups.userByEmail(user.email);
    if (newest?.userId !== user.id) throw linkNotValid();
    await confirmAddress(trx, user);
    await recordAudit(
      trx,
      { tenantId: user.tenantId, userId: user.id, kind: 'mail', requestId },
      { action: 'email_verified', entity: 'collaborator', entityId: user.id },
    );
  });
}

/** Notes that the user's address was proved by a mail, and the business with it. Throws a 409 when another account has it. */
export async function confirmAddress(trx: TenantTransaction, { tenantId, id, emailVerifiedAt }: User): Promise<void> {
  if (emailVerifiedAt) return;
  try {
    await User.query(trx).findOne({ tenantId, id }).patch({ emailVerifiedAt: new Date() });
  } catch (error) {
    // Only the unique index sees accounts of other businesses.
    if (violatedConstraint(error) === 'users_email') throw emailTaken();
    throw error;
  }
  await Tenant.query(trx).findById(tenantId).patch({ isVerified: true });
}

/** Mails another link to a user whose address is not confirmed; to a confirmed one, nothing. At most three an hour. */
export async function resendVerification(deps: Deps, caller: Caller): Promise<void> {
  const { tenantId, userId, requestId } = caller;
  await deps.withTenant(tenantId, async (trx) => {
    // The lock serializes the count of concurrent requests.
    const user = await User.query(trx).findOne({ tenantId, id: userId }).forNoKeyUpdate().throwIfNotFound();
    if (user.emailVerifiedAt) return;
    if ((await recentTokens(trx, userId)) > MAX_MAILS_PER_HOUR) throw verificationLimitReached(HOUR_SECONDS);
    await mailOneTimeLink(deps, trx, { kind: 'email_verification', userId, requestId });
    await recordAudit(trx, memberActor(caller), {
      action: 'email_verification_sent',
      entity: 'collaborator',
      entityId: userId,
    });
  });
}
