import { hashToken } from '../../adapters/crypto/tokens.ts';
import { ApiKey } from '../../db/models/api-key.ts';
import { User } from '../../db/models/user.ts';
import { useOneTimeToken } from '../../db/writes/one-time-tokens.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { requestSecurityMail } from '../../db/writes/request-security-mail.ts';
import { revokeSessionsOf } from '../../db/writes/sessions.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { AccountMailKind } from '../../domain/account-mail.ts';
import { linkNotValid } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import type { HandlerResult } from '../route.ts';
import type { AcceptInvitation, ResetPassword, SessionBody } from './schema.ts';
import { confirmAddress } from './verify-email.ts';
import { openSession, type SignInSource } from './sign-in.ts';

/** Sets a new password with a mailed link and revokes all sessions of the user. */
export function resetPassword(
  deps: Deps,
  body: ResetPassword,
  { requestId, signal }: { requestId: string; signal: AbortSignal },
): Promise<HandlerResult<{ ok: true }, 200>> {
  return consumeLink(deps, { ...body, kind: 'password_reset', signal }, async (trx, user, passwordHash) => {
    const { tenantId, id } = user;
    await User.query(trx).findOne({ tenantId, id }).patch({ passwordHash, updatedAt: new Date() });
    await confirmAddress(trx, user);
    await revokeSessionsOf(trx, { tenantId, userId: id });
    const keys = ApiKey.query(trx).where({ tenantId, userId: id }).whereNull('revokedAt');
    if (body.revokeKeys === true) await keys.patch({ revokedAt: new Date() });
    await recordAudit(trx, actorOf(user, requestId), {
      action: 'password_reset',
      entity: 'collaborator',
      entityId: id,
      ...(body.revokeKeys === true && { metadata: { revokedKeys: true } }),
    });
    await requestSecurityMail(trx, { kind: 'password_changed', userId: id, requestId });
    return { status: 200, body: { ok: true } };
  });
}

/** Sets the password of an invited collaborator and signs them in. */
export function acceptInvitation(
  deps: Deps,
  body: AcceptInvitation,
  source: SignInSource,
): Promise<HandlerResult<SessionBody, 200>> {
  const { signal } = source;
  return consumeLink(deps, { ...body, kind: 'invitation', signal }, async (trx, invited, passwordHash) => {
    const { tenantId, id } = invited;
    const name = body.name ?? invited.name;
    const now = new Date();
    await User.query(trx).findOne({ tenantId, id }).patch({ name, passwordHash, acceptedAt: now, updatedAt: now });
    await recordAudit(trx, actorOf(invited, source.requestId), {
      action: 'accept_invitation',
      entity: 'collaborator',
      entityId: id,
      metadata: { name },
    });
    await confirmAddress(trx, invited);
    const user = await User.query(trx).findOne({ tenantId, id }).throwIfNotFound();
    return openSession(deps, trx, { user, status: 200, ...source });
  });
}

/** Consumes the link and changes its user in one transaction. All invalid links get the same 400. */
async function consumeLink<Body>(
  deps: Deps,
  { token, password, kind, signal }: { token: string; password: string; kind: AccountMailKind; signal: AbortSignal },
  change: (trx: TenantTransaction, user: User, passwordHash: string) => Promise<HandlerResult<Body, 200>>,
): Promise<HandlerResult<Body, 200>> {
  const found = await deps.lookups.oneTimeToken(hashToken(token));
  if (!found) throw linkNotValid();
  // Outside the transaction: hashing takes tens of milliseconds of CPU.
  const passwordHash = await deps.passwords.hash(password, { key: found.tenantId, signal });
  return deps.withTenant(found.tenantId, async (trx) => {
    const user = await useOneTimeToken(trx, found.tokenId, kind);
    if (!user) throw linkNotValid();
    return change(trx, user, passwordHash);
  });
}

const actorOf = ({ tenantId, id }: User, requestId: string) =>
  ({ tenantId, userId: id, kind: 'user', movesQuotesAs: 'member', requestId }) as const;
