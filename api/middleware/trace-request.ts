import { SpanKind } from '@opentelemetry/api';
import type { Middleware } from 'koa';
import { failSpan, inSpan } from '../../adapters/tracing/spans.ts';
import { routeTemplate } from '../route-template.ts';

/**
 * Starts the root span of a request. The caller's traceparent is ignored: strangers must not decide what is traced, and
 * under which id.
 */
export const traceRequest: Middleware = async (ctx, next) => {
  const attributes = { 'http.request.method': ctx.method };
  await inSpan(ctx.method, { kind: SpanKind.SERVER, attributes }, async (span) => {
    await next();
    const route = routeTemplate(ctx);
    const tenantId: unknown = ctx.state.tenantId;
    span.updateName(`${ctx.method} ${route}`);
    span.setAttributes({
      'http.route': route,
      'http.response.status_code': ctx.status,
      'request.id': ctx.state.requestId,
      'tenant.id': typeof tenantId === 'string' ? tenantId : undefined,
    });
    if (ctx.status >= 500) failSpan(span, String(ctx.status));
  });
};
