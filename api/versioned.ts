import type { Route } from './route.ts';

/** The paths of integrations: the same routes as under /api, for API keys only. */
export const VERSIONED = '/api/v1/';

/** The same route under /api/v1; undefined for routes of sessions and of the client's page, which take no key. */
export function versioned(route: Route): Route | undefined {
  if (route.path.startsWith('/api/auth/') || route.access === 'public') return undefined;
  return { ...route, path: route.path.replace(/^\/api\//, VERSIONED) };
}
