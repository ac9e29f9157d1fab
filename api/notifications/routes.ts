import { Type } from 'typebox';
import { notificationNotFound } from '../../domain/errors.ts';
import { type Route, route } from '../route.ts';
import { named, IdParams } from '../schema.ts';
import { notificationBody } from './present.ts';
import { listNotifications, markAllRead, markRead } from './queries.ts';
import { ListNotifications, NotificationList } from './schema.ts';

const tag = 'Notifications';

// Marking as read changes no business data, so it is not audited.
export const notificationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/notifications',
    operationId: 'listNotifications',
    tag,
    summary: 'Las notificaciones propias',
    access: 'authenticated',
    query: ListNotifications,
    responses: { 200: { description: 'Una página, de la más nueva a la más antigua', schema: NotificationList } },
    handle: ({ caller, query, inTenant }) =>
      inTenant(async (trx) => {
        const { notifications, unreadCount } = await listNotifications(trx, caller, query);
        return { data: notifications.map(notificationBody), unreadCount };
      }),
  }),
  route({
    method: 'PATCH',
    path: '/api/notifications/:id/read',
    operationId: 'markNotificationRead',
    tag,
    summary: 'Marca una notificación como leída',
    access: 'authenticated',
    params: IdParams,
    responses: { 200: { description: 'Leída', schema: named('NotificationRead', { success: Type.Literal(true) }) } },
    refusals: [notificationNotFound()],
    handle: ({ caller, params, inTenant }) =>
      inTenant(async (trx) => {
        await markRead(trx, caller, params.id);
        return { success: true as const };
      }),
  }),
  route({
    method: 'POST',
    path: '/api/notifications/mark-all-read',
    operationId: 'markAllNotificationsRead',
    tag,
    summary: 'Marca todas las notificaciones propias como leídas',
    access: 'authenticated',
    idempotency: 'none',
    responses: {
      200: {
        description: 'Cuántas se marcaron',
        schema: named('NotificationsRead', { updated: Type.Integer({ examples: [3] }) }),
      },
    },
    handle: ({ caller, inTenant }) => inTenant(async (trx) => ({ updated: await markAllRead(trx, caller) })),
  }),
];
