import type { Context } from 'koa';

const UNMATCHED = 'unmatched';

/** The template of the matched route, such as "/api/quotes/:id"; never the path, which contains tokens and ids. */
export function routeTemplate(ctx: Context): string {
  const route = ctx.state.route;
  if (route !== undefined) return route;
  // The router sets it on pages too, but its types lack it.
  const matched = (ctx as unknown as Readonly<Record<string, unknown>>)['_matchedRoute'];
  return typeof matched === 'string' ? matched : UNMATCHED;
}
