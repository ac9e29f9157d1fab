import type { Middleware } from 'koa';
import type { Tracing } from '../../adapters/tracing/tracing.ts';
import { routeTemplate } from '../route-template.ts';

/**
 * The span that everything of a request hangs below. A traceparent that the caller sent is not taken up: a stranger
 * would decide what is traced, and under which id.
 */
export const traceRequest =
  (tracing: Tracing): Middleware =>
  async (ctx, next) => {
    await tracing.span(ctx.method, { kind: 'server', facts: { 'http.request.method': ctx.method } }, async (span) => {
      await next();
      const route = routeTemplate(ctx);
      span.tell(
        {
          'http.route': route,
          'http.response.status_code': ctx.status,
          'request.id': ctx.state.requestId,
          'tenant.id': ctx.state.tenantId,
        },
        `${ctx.method} ${route}`,
      );
      if (ctx.status >= 500) span.fail(String(ctx.status));
    });
  };
