import type { Middleware } from 'koa';
import type { ApiMetrics } from '../../adapters/metrics/metrics.ts';
import { routeTemplate } from '../route-template.ts';

/** Node takes a few dozen methods; those that we serve, and one word for the others. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** How long each request took, by its route's template. Stands outside of what answers errors, so it sees every answer. */
export const requestMetrics =
  ({ requests }: Pick<ApiMetrics, 'requests'>): Middleware =>
  async (ctx, next) => {
    const stop = requests.startTimer();
    await next();
    stop({
      method: METHODS.has(ctx.method) ? ctx.method : 'other',
      route: routeTemplate(ctx),
      status_class: `${Math.floor(ctx.status / 100)}xx`,
    });
  };
