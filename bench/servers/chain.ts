import { createServer } from 'node:http';
import { Router } from '@koa/router';
import Koa from 'koa';
import { Type } from 'typebox';
import { readApiConfig } from '../../adapters/config.ts';
import { onShutdown, reportReady } from '../../adapters/process.ts';
import { compose } from '../../api/compose.ts';
import { endpoint } from '../../api/endpoint.ts';
import { accessLog } from '../../api/middleware/access-log.ts';
import { cors } from '../../api/middleware/cors.ts';
import { handleErrors } from '../../api/middleware/errors.ts';
import { closeWhenDraining } from '../../api/middleware/close-when-draining.ts';
import { limitHead } from '../../api/middleware/limit-head.ts';
import { requestId } from '../../api/middleware/request-id.ts';
import { securityHeaders } from '../../api/middleware/security-headers.ts';
import { route } from '../../api/route.ts';
import { runnable } from '../../api/run-route.ts';
import { dropsUnknown, limit, page } from '../../api/schema.ts';

/**
 * The API's own chain around an endpoint that answers at once. /api/hello reads the session's row, as every request
 * does; /api/hello-from-memory has it from memory, which is the chain without any table.
 */
const config = readApiConfig();
const { deps, close } = compose(config);

const hello = (path: string) =>
  route({
    method: 'GET',
    path,
    operationId: 'hello',
    tag: 'bench',
    summary: 'hello',
    access: 'quotes:read',
    rate: 'default',
    query: dropsUnknown({ page: page(), limit: limit() }),
    responses: { 200: { description: 'hello', schema: Type.Object({ ok: Type.Boolean() }) } },
    handle: ({ query }) => Promise.resolve({ status: 200, body: { ok: true, page: query.page, limit: query.limit } }),
  });

const app = new Koa();
app.use(securityHeaders(config.PUBLIC_URL));
app.use(requestId);
app.use(closeWhenDraining(deps.draining));
app.use(cors(config.CORS_ORIGINS));
app.use(accessLog(deps.log));
app.use(handleErrors(deps.log));
app.use(limitHead);
const router = new Router();
router.get('/api/hello', endpoint(deps, runnable(deps, hello('/api/hello')), 'any'));
const standing = {
  name: 'Diana',
  email: 'diana@example.com',
  role: 'OWNER',
  plan: 'PRO',
  isVerified: true,
  timeZone: 'America/Mexico_City',
  country: 'MX',
  createdAt: new Date(),
  expiresAt: new Date(Date.now() + 7 * 86_400_000),
  // Not noted during the measurement.
  lastSeenAt: new Date(),
} as const;
const fromMemory = { ...deps, members: { ...deps.members, bySession: () => Promise.resolve(standing) } };
router.get(
  '/api/hello-from-memory',
  endpoint(fromMemory, runnable(fromMemory, hello('/api/hello-from-memory')), 'any'),
);
app.use(router.routes());

const handle = app.callback();
createServer((request, response) => void handle(request, response)).listen(config.PORT, config.HOST, reportReady);
onShutdown(close);
