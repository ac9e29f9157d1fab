import { User } from '../../db/models/user.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { ownersAnd } from '../../db/writes/notify.ts';
import { requestSecurityMail } from '../../db/writes/request-security-mail.ts';
import { revokeSessionsOf } from '../../db/writes/sessions.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { changesOf } from '../../domain/diff.ts';
import { collaboratorNotFound, lastOwner } from '../../domain/errors.ts';
import type { UpdateCollaborator } from './schema.ts';

/** Whether a change only removes access, which every plan allows. */
export const isDeactivation = ({ isActive, ...rest }: UpdateCollaborator): boolean =>
  isActive === false && Object.values(rest).every((value) => value === undefined);

/** Changes the name, role or active flag of a collaborator. */
export async function updateCollaborator(
  trx: TenantTransaction,
  caller: Caller,
  userId: string,
  body: UpdateCollaborator,
): Promise<User> {
  return change(trx, caller, userId, { action: 'update', patch: body });
}

/** Deactivates a collaborator and ends their sessions and keys. Repeating it changes nothing. */
export async function deactivateCollaborator(trx: TenantTransaction, caller: Caller, userId: string): Promise<void> {
  await change(trx, caller, userId, { action: 'delete', patch: { isActive: false } });
}

async function change(
  trx: TenantTransaction,
  caller: Caller,
  userId: string,
  { action, patch }: { action: 'update' | 'delete'; patch: UpdateCollaborator },
): Promise<User> {
  const { tenantId } = caller;
  const { user, otherOwners } = await lockWithOwners(trx, tenantId, userId);
  const changes = changesOf<Pick<User, 'name' | 'isActive' | 'role'>>(user, patch);
  if (!changes) return user;

  const { role = user.role, isActive = user.isActive } = changes.after;
  const staysOwner = role === 'OWNER' && isActive;
  if (isActiveOwner(user) && !staysOwner && otherOwners === 0) throw lastOwner();

  await User.query(trx)
    .findOne({ tenantId, id: userId })
    .patch({ ...changes.after, updatedAt: new Date() });
  // Inactive users are refused anyway; revoking keeps the sessions ended after a reactivation.
  if (changes.after.isActive === false) await revokeSessionsOf(trx, { tenantId, userId });
  if (staysOwner && user.role !== 'OWNER') await mailOwners(trx, caller, user);
  await recordAudit(trx, memberActor(caller), {
    action,
    entity: 'collaborator',
    entityId: userId,
    metadata: changes,
  });
  return User.query(trx).findOne({ tenantId, id: userId }).throwIfNotFound();
}

/** Tells every owner, the new one too. */
async function mailOwners(trx: TenantTransaction, { requestId }: Caller, { id, name }: User): Promise<void> {
  for (const userId of await ownersAnd(trx, id))
    await requestSecurityMail(trx, { kind: 'owner_added', userId, subject: name, requestId });
}

/**
 * Locks the rows of the user and of all owners in one order. When two owners demote each other concurrently, the second
 * request sees the result of the first.
 */
async function lockWithOwners(trx: TenantTransaction, tenantId: string, userId: string) {
  const users = await User.query(trx)
    .where({ tenantId })
    .where((query) => void query.where('id', userId).orWhere('role', 'OWNER'))
    .orderBy('id')
    .forNoKeyUpdate();
  const user = users.find(({ id }) => id === userId);
  if (!user) throw collaboratorNotFound();
  return { user, otherOwners: users.filter((other) => other.id !== userId && isActiveOwner(other)).length };
}

/** An owner who can sign in. With only invited owners the business would be locked out. */
const isActiveOwner = ({ role, isActive, passwordHash }: User): boolean =>
  role === 'OWNER' && isActive && passwordHash !== null;
