import type { Router } from '@koa/router';
import type { Deps } from './deps.ts';

/**
 * /healthz: the process runs. /readyz: it can serve and is not draining. Dependencies that it can do without for some
 * time are only reported.
 */
export function healthRoutes(router: Router, { readiness, draining }: Pick<Deps, 'readiness' | 'draining'>): void {
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    if (draining.isOn()) {
      ctx.status = 503;
      ctx.body = { status: 'draining' };
      return;
    }
    const [database, temporal, s3] = await Promise.all([
      readiness.database(),
      readiness.temporal(),
      readiness.storage(),
    ]);
    const degraded = temporal === 'down' || s3 === 'down';
    ctx.status = database === 'ok' ? 200 : 503;
    ctx.body = {
      status: database === 'down' ? 'down' : degraded ? 'degraded' : 'ok',
      parts: { database, temporal, storage: s3 },
    };
  });
}
