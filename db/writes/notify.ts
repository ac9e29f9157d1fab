import type { NotificationType } from '../../domain/notifications.ts';
import { newId } from '../ids.ts';
import { Notification } from '../models/notification.ts';
import { User } from '../models/user.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** A notification before it is addressed. */
export interface NewNotification {
  readonly type: NotificationType;
  readonly title: string;
  readonly body: string;
  readonly metadata?: object;
  /** Its subject. A member is notified once of the same subject. */
  readonly about: string;
}

/** Notifies these members, except those who have a notification about the same subject. */
export async function notify(
  trx: TenantTransaction,
  userIds: readonly string[],
  { type, title, body, metadata = {}, about }: NewNotification,
): Promise<void> {
  if (userIds.length === 0) return;
  const tenantId = tenantOf(trx);
  const rows = userIds.map((userId) => ({
    id: newId(),
    tenantId,
    userId,
    type,
    title,
    body,
    metadata: JSON.stringify(metadata),
    eventId: about,
  }));
  await Notification.query(trx).insert(rows).onConflict(['tenantId', 'userId', 'eventId']).ignore();
}

/** The id of this member while they are active; when they are not, those of the active owners. */
export async function memberOrOwners(trx: TenantTransaction, userId: string): Promise<readonly string[]> {
  const ids = await ownersAnd(trx, userId);
  return ids.includes(userId) ? [userId] : ids;
}

/** Ids of the owners who are active, and of this active member if one is given, each once. */
export async function ownersAnd(trx: TenantTransaction, userId: string | null): Promise<readonly string[]> {
  const users = await User.query(trx)
    .where({ tenantId: tenantOf(trx), isActive: true })
    .where((who) => {
      void who.where({ role: 'OWNER' });
      if (userId !== null) void who.orWhere({ id: userId });
    })
    .orderBy('id');
  return users.map(({ id }) => id);
}
