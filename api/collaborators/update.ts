import { User } from '../../db/models/user.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { revokeSessionsOf } from '../../db/writes/sessions.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { changesOf } from '../../domain/diff.ts';
import { collaboratorNotFound, lastOwner } from '../../domain/errors.ts';
import type { UpdateCollaborator } from './schema.ts';

/** Whether a change only takes access away, which needs no plan. */
export const isDeactivation = ({ isActive, ...rest }: UpdateCollaborator): boolean =>
  isActive === false && Object.values(rest).every((value) => value === undefined);

/** Renames, deactivates or activates a collaborator, or gives them another role. */
export async function updateCollaborator(
  trx: TenantTransaction,
  caller: Caller,
  userId: string,
  body: UpdateCollaborator,
): Promise<User> {
  return change(trx, caller, userId, { action: 'update', patch: body });
}

/** Deactivates a collaborator; sessions and keys stop at once. Deactivating again changes nothing. */
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
  if (canOwn(user) && !staysOwner && otherOwners === 0) throw lastOwner();

  await User.query(trx)
    .findOne({ tenantId, id: userId })
    .patch({ ...changes.after, updatedAt: new Date() });
  // They would be refused while inactive; revoked, they stay ended when the user is activated again.
  if (changes.after.isActive === false) await revokeSessionsOf(trx, tenantId, userId);
  await recordAudit(trx, memberActor(caller), {
    action,
    entity: 'collaborator',
    entityId: userId,
    metadata: changes,
  });
  return User.query(trx).findOne({ tenantId, id: userId }).throwIfNotFound();
}

/**
 * The user's row and those of all owners, locked in one order: of two owners who demote each other at once, the second
 * sees that the first succeeded.
 */
async function lockWithOwners(trx: TenantTransaction, tenantId: string, userId: string) {
  const users = await User.query(trx)
    .where({ tenantId })
    .where((query) => void query.where('id', userId).orWhere('role', 'OWNER'))
    .orderBy('id')
    .forNoKeyUpdate();
  const user = users.find(({ id }) => id === userId);
  if (!user) throw collaboratorNotFound();
  return { user, otherOwners: users.filter((other) => other.id !== userId && canOwn(other)).length };
}

/** An owner who can sign in. One who has not accepted the invitation yet could lock everybody out. */
const canOwn = ({ role, isActive, passwordHash }: User): boolean =>
  role === 'OWNER' && isActive && passwordHash !== null;
