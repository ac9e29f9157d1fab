import type { Notification } from '../../db/models/notification.ts';
import type { ResponseBody } from '../schema.ts';
import type { NotificationBody } from './schema.ts';

export const notificationBody = (notification: Notification): ResponseBody<typeof NotificationBody> => ({
  id: notification.id,
  type: notification.type,
  title: notification.title,
  body: notification.body,
  // Only the service writes it, always as an object.
  metadata: JSON.parse(notification.metadata) as Record<string, unknown>,
  readAt: notification.readAt?.toISOString() ?? null,
  createdAt: notification.createdAt.toISOString(),
});
