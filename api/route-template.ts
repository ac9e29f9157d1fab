import type { Context } from 'koa';

const UNMATCHED = 'unmatched';

/** The template of the route that a request took, "/api/quotes/:id"; never its path, which holds tokens and ids. */
export function routeTemplate(ctx: Context): string {
  const route = ctx.state.route;
  if (route !== undefined) return route;
  // The router notes it on pages too; it is not in its types.
  const matched = (ctx as unknown as Readonly<Record<string, unknown>>)['_matchedRoute'];
  return typeof matched === 'string' ? matched : UNMATCHED;
}
