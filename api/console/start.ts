import { startPage } from '../../console/start-page.ts';
import { can } from '../../domain/permissions.ts';
import { page } from './declaration.ts';

const MAX_NEWS = 8;

export const startPages = [
  page({
    method: 'GET',
    path: '/app',
    access: 'authenticated',
    handle: async ({ caller, call }) => {
      const isOwner = can(caller.role, 'config:manage');
      const [{ steps }, { data }] = await Promise.all([
        call('getOnboarding'),
        call('listNotifications', { query: { limit: MAX_NEWS } }),
      ]);
      return startPage({
        name: caller.name,
        isVerified: caller.isVerified,
        steps: isOwner ? steps : [],
        news: data,
        timeZone: caller.timeZone,
      });
    },
  }),
  page({
    method: 'GET',
    path: '/',
    access: 'public',
    handle: () => ({ redirectTo: '/app' }),
  }),
];
