import type { Context, Next } from 'koa';
import { isLoopback } from '../../adapters/loopback.ts';
import { hostNotAllowed } from '../../domain/request-refusals.ts';

/**
 * Responds 400 unless the Host header names this machine. Prevents DNS rebinding: another site could resolve its own
 * name to 127.0.0.1 and read our responses in its visitor's browser.
 */
export async function loopbackOnly(ctx: Context, next: Next): Promise<void> {
  // Not Koa's `host`, which may be X-Forwarded-Host.
  const [, host] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(ctx.req.headers.host ?? '') ?? [];
  if (host === undefined || !isLoopback(host)) throw hostNotAllowed();
  await next();
}
