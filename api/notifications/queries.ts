import { Notification } from '../../db/models/notification.ts';
import { newestFirst } from '../../db/reads/newest-first.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { notificationNotFound } from '../../domain/errors.ts';
import type { ListNotifications } from './schema.ts';

/** One page of the caller's notifications, newest first, with the number of all unread ones. */
export async function listNotifications(trx: TenantTransaction, caller: Caller, query: ListNotifications) {
  const { page, limit, unread } = query;
  const notifications = await ownNotifications(trx, caller)
    .modify((builder) => {
      if (unread === 'true') void builder.whereNull('readAt');
    })
    .orderBy(newestFirst())
    .limit(limit)
    .offset((page - 1) * limit);
  const unreadCount = await ownNotifications(trx, caller).whereNull('readAt').resultSize();
  return { notifications, unreadCount };
}

/** Marks one as read; `readAt` is set only once. Throws a 404 for another user's. */
export async function markRead(trx: TenantTransaction, caller: Caller, id: string): Promise<void> {
  const notification = await ownNotifications(trx, caller).findOne({ id }).forUpdate();
  if (!notification) throw notificationNotFound();
  if (!notification.readAt) await ownNotifications(trx, caller).findOne({ id }).patch({ readAt: new Date() });
}

/** Marks all as read and returns the number of those that were unread. */
export const markAllRead = (trx: TenantTransaction, caller: Caller): PromiseLike<number> =>
  ownNotifications(trx, caller).whereNull('readAt').patch({ readAt: new Date() });

const ownNotifications = (trx: TenantTransaction, { tenantId, userId }: Caller) =>
  Notification.query(trx).where({ tenantId, userId });
