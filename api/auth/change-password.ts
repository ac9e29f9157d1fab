import { User } from '../../db/models/user.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { requestSecurityMail } from '../../db/writes/request-security-mail.ts';
import { revokeSessionsOf } from '../../db/writes/sessions.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import type { Deps } from '../deps.ts';
import { assertPassword, wrongPassword } from './assert-password.ts';
import type { ChangePassword } from './schema.ts';
import { permitOf, type SignInSource } from './sign-in.ts';

/**
 * Changes the password of a signed-in user and ends the other sessions. The current password counts as a sign-in: who has
 * only the session must not guess it. Throws a 400 for a wrong one.
 */
export async function changePassword(
  deps: Deps,
  caller: Caller,
  { currentPassword, newPassword }: ChangePassword,
  source: SignInSource,
): Promise<void> {
  const { tenantId, userId, requestId, credential } = caller;
  const user = await deps.withTenant(tenantId, (trx) =>
    User.query(trx).findOne({ tenantId, id: userId }).throwIfNotFound(),
  );
  await assertPassword(deps, user, { path: 'currentPassword', password: currentPassword }, source);
  const passwordHash = await deps.passwords.hash(newPassword, permitOf(source));
  await deps.withTenant(tenantId, async (trx) => {
    const now = await User.query(trx).findOne({ tenantId, id: userId }).forNoKeyUpdate().throwIfNotFound();
    // Another change came first, so the verified password is no longer the current one.
    if (now.passwordHash !== user.passwordHash) throw wrongPassword('currentPassword');
    await User.query(trx).findOne({ tenantId, id: userId }).patch({ passwordHash, updatedAt: new Date() });
    await revokeSessionsOf(trx, { tenantId, userId, except: credential.id });
    await recordAudit(trx, memberActor(caller), {
      action: 'password_change',
      entity: 'collaborator',
      entityId: userId,
    });
    await requestSecurityMail(trx, { kind: 'password_changed', userId, ip: source.ip, requestId });
  });
}
