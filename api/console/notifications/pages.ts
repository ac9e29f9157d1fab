import { notificationsPage } from '../../../console/notifications/list-page.ts';
import { type Page, page } from '../declaration.ts';
import { newForm } from '../form.ts';

const PATH = '/app/notifications';
const PAGE_SIZE = 25;
const common = { access: 'authenticated' } as const;

export const notificationPages: readonly Page[] = [
  page({
    ...common,
    method: 'GET',
    path: PATH,
    handle: async ({ call, query, caller: { timeZone } }) => {
      const number = /^[1-9]\d{0,2}$/.test(query['page'] ?? '') ? Number(query['page']) : 1;
      const onlyUnread = query['unread'] === 'true';
      const { data, unreadCount } = await call('listNotifications', {
        query: { page: number, limit: PAGE_SIZE, ...(onlyUnread && { unread: 'true' }) },
      });
      return notificationsPage({
        notifications: data,
        unreadCount,
        onlyUnread,
        page: number,
        // A full page may be the last one: its next page is then empty.
        hasMore: data.length === PAGE_SIZE,
        form: newForm(),
        timeZone,
      });
    },
  }),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/read-all`,
    handle: async ({ call }) => {
      await call('markAllNotificationsRead');
      return { redirectTo: `${PATH}?notice=notifications_read` };
    },
  }),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/:id/read`,
    handle: async ({ call, params: { id = '' } }) => {
      await call('markNotificationRead', { params: { id } });
      return { redirectTo: PATH };
    },
  }),
];
