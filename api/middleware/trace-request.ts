import type { Middleware } from 'koa';
import type { Tracing } from '../../adapters/tracing/tracing.ts';
import { routeTemplate } from '../route-template.ts';

/**
 * Starts the root span of a request. The caller's traceparent is ignored: strangers must not decide what is traced, and
 * under which id.
 */
export const traceRequest =
  (tracing: Tracing): Middleware =>
  async (ctx, next) => {
    await tracing.span(ctx.method, { kind: 'server', facts: { 'http.request.method': ctx.method } }, async (span) => {
      await next();
      const route = routeTemplate(ctx);
      const tenantId: unknown = ctx.state['tenantId'];
      span.tell(
        {
          'http.route': route,
          'http.response.status_code': ctx.status,
          'request.id': String(ctx.state['requestId']),
          'tenant.id': typeof tenantId === 'string' ? tenantId : undefined,
        },
        `${ctx.method} ${route}`,
      );
      if (ctx.status >= 500) span.fail(String(ctx.status));
    });
  };
