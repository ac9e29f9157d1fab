import { Router } from '@koa/router';
import type { Middleware } from 'koa';

/**
 * Serves the routes of a router. A router compares each path with all of its routes, so those whose paths begin with the
 * same parts get a router of their own, and a request is compared with these only.
 *
 * @param parts how many parts at the beginning of a path are literal in every route: 2 for /api/quotes and /api/clients/:id
 */
export function groupedRoutes({ stack }: Router, parts: number): Middleware {
  const groups = new Map<string, Router>();
  for (const layer of stack) {
    const beginning = beginningOf(String(layer.path), parts);
    if (/[:*{(]/.test(beginning)) throw new Error(`${String(layer.path)} is not literal in its first ${parts} parts`);
    const group = groups.get(beginning) ?? new Router();
    group.stack.push(layer);
    groups.set(beginning, group);
  }
  // The type expects members of the context that the router adds itself.
  const serve = (router: Router) => router.routes() as Middleware;
  const serving = new Map([...groups].map(([beginning, router]) => [beginning, serve(router)]));
  // Notes on the context that no path matched, which the response to a method that no route has needs.
  const serveNone = serve(new Router());
  return (ctx, next) => (serving.get(beginningOf(ctx.path, parts)) ?? serveNone)(ctx, next);
}

/** Routers ignore case, too. */
const beginningOf = (path: string, parts: number): string =>
  path
    .split('/', parts + 1)
    .join('/')
    .toLowerCase();
