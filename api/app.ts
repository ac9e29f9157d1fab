import { Router } from '@koa/router';
import Koa from 'koa';
import { methodNotAllowed, routeNotFound } from '../domain/errors.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { auditLogRoutes } from './audit-logs/routes.ts';
import { sessionRoutes } from './auth/session-routes.ts';
import { twoFactorRoutes } from './auth/two-factor-routes.ts';
import { authRoutes } from './auth/routes.ts';
import { automationRoutes } from './automations/routes.ts';
import { clientRoutes } from './clients/routes.ts';
import { collaboratorRoutes } from './collaborators/routes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { connectorRoutes } from './connector/routes.ts';
import { consoleRoutes } from './console/routes.ts';
import type { Deps } from './deps.ts';
import { docsRoutes } from './docs/routes.ts';
import { endpoint } from './endpoint.ts';
import { groupedRoutes } from './grouped-routes.ts';
import { healthRoutes } from './health.ts';
import { importRoutes } from './imports/routes.ts';
import { attachmentRoutes } from './attachments/routes.ts';
import { labelRoutes } from './labels/routes.ts';
import { accessLog } from './middleware/access-log.ts';
import { clientAddress } from './middleware/client-address.ts';
import { cors } from './middleware/cors.ts';
import { handleErrors } from './middleware/errors.ts';
import { closeWhenDraining } from './middleware/close-when-draining.ts';
import { limitHead } from './middleware/limit-head.ts';
import { loopbackOnly } from './middleware/loopback-only.ts';
import { literalPaths } from './middleware/literal-paths.ts';
import { requestId } from './middleware/request-id.ts';
import { requestMetrics } from './middleware/request-metrics.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { traceRequest } from './middleware/trace-request.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { onboardingRoutes } from './onboarding/routes.ts';
import { pipelineRoutes } from './pipeline/routes.ts';
import { portalPages } from './portal/pages.ts';
import { messageRoutes } from './messages/routes.ts';
import { portalRoutes } from './portal/routes.ts';
import { productRoutes } from './products/routes.ts';
import { quoteRoutes } from './quotes/routes.ts';
import { reminderRoutes } from './reminders/routes.ts';
import type { Route } from './route.ts';
import { runnable } from './run-route.ts';
import { taxRoutes } from './taxes/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { versioned } from './versioned.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { settingsRoutes } from './settings/routes.ts';

/** Every route of the API, in the order of the reference. */
export const apiRoutes = (deps: Deps): readonly Route[] => [
  ...authRoutes(deps),
  ...apiKeyRoutes(deps),
  ...sessionRoutes(deps),
  ...twoFactorRoutes(deps),
  ...collaboratorRoutes(deps),
  ...clientRoutes,
  ...productRoutes,
  ...importRoutes(deps),
  ...quoteRoutes(deps),
  ...attachmentRoutes(deps),
  ...messageRoutes(deps),
  ...pipelineRoutes(deps),
  ...dashboardRoutes(deps),
  ...auditLogRoutes,
  ...settingsRoutes(deps),
  ...notificationRoutes,
  ...reminderRoutes,
  ...onboardingRoutes,
  ...labelRoutes,
  ...taxRoutes,
  ...templateRoutes,
  ...automationRoutes(deps),
  ...webhookRoutes(deps),
  ...connectorRoutes(deps),
  ...portalRoutes(deps),
];

/** Adds pages of another entry point than `main.ts`. */
export type AddPages = (pages: Router, deps: Deps) => void;

/** Routes that are not part of the API: documents, health, the pages of a quote's client and the console. */
export function pageRoutes(deps: Deps, routes: readonly Route[], addPages?: AddPages): Router {
  const pages = new Router();
  docsRoutes(pages, deps, routes);
  addPages?.(pages, deps);
  healthRoutes(pages, deps);
  portalPages(pages, deps);
  consoleRoutes(pages, deps, routes);
  return pages;
}

/** The HTTP application with all its routes. */
export function createApp(deps: Deps, addPages?: AddPages): Koa {
  const app = new Koa({ proxy: deps.config.TRUSTED_PROXIES > 0, maxIpsCount: deps.config.TRUSTED_PROXIES });
  // `answerErrors` handles errors of requests. This is a client that disconnected.
  app.on('error', (error: unknown) => deps.log.debug({ err: error }, 'connection error'));

  const routes = apiRoutes(deps);
  const routers = { any: new Router(), keyed: new Router() };
  for (const route of routes) register(routers, deps, route);
  const serve = { any: groupedRoutes(routers.any, 2), keyed: groupedRoutes(routers.keyed, 3) };
  const servePages = groupedRoutes(pageRoutes(deps, routes, addPages), 1);

  app.use(securityHeaders(deps.config.PUBLIC_URL));
  app.use(clientAddress);
  app.use(requestId);
  app.use(closeWhenDraining(deps.draining));
  app.use(cors(deps.config.CORS_ORIGINS));
  app.use(requestMetrics(deps.apiMetrics));
  app.use(traceRequest);
  app.use(accessLog(deps.log));
  app.use(handleErrors(deps.log));
  if (deps.config.PROFILE === 'embedded') app.use(loopbackOnly);
  app.use(limitHead);
  app.use(async (ctx, next) => {
    await next();
    // The router sets 405 with Allow, and 501 for a method that no route has.
    if ((ctx.status === 405 || ctx.status === 501) && ctx.response.get('Allow') !== '') throw methodNotAllowed();
    if ((ctx.status === 404 || ctx.status === 501) && !ctx.body) throw routeNotFound();
  });
  app.use(servePages);
  app.use(literalPaths(routes));
  app.use((ctx, next) => (/^\/api\/v1\//i.test(ctx.path) ? serve.keyed(ctx, next) : serve.any(ctx, next)));
  app.use(routers.any.allowedMethods());
  return app;
}

/** Registers a route under /api for sessions and keys, and under /api/v1 for keys only. */
function register({ any, keyed }: { readonly any: Router; readonly keyed: Router }, deps: Deps, route: Route): void {
  if ((route.method === 'POST') !== (route.idempotency !== undefined)) {
    throw new Error(`${route.method} ${route.path}: every POST, and nothing else, says what an Idempotency-Key does`);
  }
  any.register(route.path, [route.method], endpoint(deps, runnable(deps, route), 'any'));
  const withKey = versioned(route);
  if (withKey) keyed.register(withKey.path, [route.method], endpoint(deps, runnable(deps, withKey), 'key'));
}
