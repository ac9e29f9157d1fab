import type { Middleware } from 'koa';
import type { ApiMetrics } from '../../adapters/metrics/metrics.ts';
import { routeTemplate } from '../route-template.ts';

/** Bounds the values of the label: Node accepts a few dozen methods. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures each request by the template of its route. Must wrap `answerErrors` to see every response. */
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
