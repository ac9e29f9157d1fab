import { type Static, Type } from 'typebox';
import { NOTIFICATION_TYPES } from '../../domain/notifications.ts';
import { named, dropsUnknown, id, jsonObject, limit, nullable, oneOf, page, timestamp } from '../schema.ts';

export const ListNotifications = dropsUnknown({
  page: page({ maximum: 1000 }),
  limit: limit({ maximum: 50 }),
  unread: Type.Optional(
    Type.String({
      maxLength: 16,
      description: '`true`: solo las no leídas; con otro valor, todas',
      examples: ['true'],
    }),
  ),
});
export type ListNotifications = Static<typeof ListNotifications>;

const NotificationBody = named('Notification', {
  id: id(),
  type: oneOf('NotificationType', NOTIFICATION_TYPES),
  title: Type.String({ examples: ['Cotización ganada'] }),
  body: Type.String({ examples: ['La cotización COT-12 se marcó como ganada'] }),
  metadata: jsonObject({
    description: 'por ejemplo quoteId y quoteNumber',
    examples: [{ quoteId: 'c5tz6q8v0k3m9w2x7y4n1b0d', quoteNumber: 12 }],
  }),
  readAt: nullable(timestamp()),
  createdAt: timestamp(),
});

export const NotificationList = named('NotificationList', {
  data: Type.Array(NotificationBody),
  unreadCount: Type.Integer({ description: 'no leídas en total, fuera de la página también', examples: [1] }),
});
