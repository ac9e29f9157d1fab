import type { Context, Next } from 'koa';
import { isLoopback } from '../../adapters/loopback.ts';
import { invalid } from '../../domain/errors.ts';

/**
 * 400 for a request to any other name than this machine's. For a service that only this machine may reach: a page elsewhere
 * could let its own name point here and then read what we answer to its visitor's browser.
 */
export async function loopbackOnly(ctx: Context, next: Next): Promise<void> {
  // Not Koa's `host`, which may be X-Forwarded-Host.
  const [, host] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(ctx.req.headers.host ?? '') ?? [];
  if (host === undefined || !isLoopback(host)) throw invalid('Host no permitido');
  await next();
}
