import type { Middleware } from 'koa';
import { methodNotAllowed } from '../../domain/errors.ts';
import type { Route } from '../route.ts';

/**
 * A literal path such as /api/quotes/export.csv also matches /api/quotes/:id. This allows only the methods of its own
 * routes.
 */
export function literalPaths(routes: readonly Pick<Route, 'method' | 'path'>[]): Middleware {
  const allowed = new Map<string, Set<string>>();
  for (const { method, path } of routes.filter((route) => !route.path.includes(':'))) {
    const methods = allowed.get(path) ?? new Set();
    allowed.set(path, methods.add(method));
    if (method === 'GET') methods.add('HEAD');
  }

  return async (ctx, next) => {
    const methods = allowed.get(ctx.path.replace(/^\/api\/v1\//, '/api/'));
    if (!methods || methods.has(ctx.method)) return next();
    ctx.set('Allow', [...methods].join(', '));
    if (ctx.method !== 'OPTIONS') throw methodNotAllowed();
    ctx.status = 200;
    return undefined;
  };
}
