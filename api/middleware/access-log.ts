import type { Context, Middleware, Next } from 'koa';
import type { Log } from '../../adapters/log.ts';

/** Logs one line per request, with the template of the route, because paths contain tokens and ids. */
export const accessLog =
  (log: Log): Middleware =>
  async (ctx: Context, next: Next) => {
    const startedAt = performance.now();
    await next();
    log.info(
      {
        requestId: ctx.state.requestId,
        tenantId: ctx.state.tenantId,
        method: ctx.method,
        route: ctx.state.route,
        status: ctx.status,
        durationMs: Math.round(performance.now() - startedAt),
      },
      'request',
    );
  };
