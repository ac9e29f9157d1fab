import type { Context, Middleware, Next } from 'koa';
import helmet from 'koa-helmet';

/** A year in seconds, as browsers' preload lists ask for. */
const HSTS_SECONDS = 31_536_000;

/**
 * What keeps browsers from guessing types, framing, running foreign scripts and telling others our addresses. On every
 * answer, so it comes first; a page with needs of its own replaces the policy.
 */
export function securityHeaders(publicUrl: string): Middleware {
  const isSecure = publicUrl.startsWith('https:');
  const common = helmet({
    contentSecurityPolicy: {
      // Without https the upgrade would send every file of a page to a port where nothing listens.
      directives: { 'frame-ancestors': ["'none'"], 'upgrade-insecure-requests': isSecure ? [] : null },
    },
    // A browser that believed it over http would refuse to come back.
    strictTransportSecurity: isSecure && { maxAge: HSTS_SECONDS, includeSubDomains: true },
    frameguard: { action: 'deny' },
  });
  return (ctx: Context, next: Next) =>
    common(ctx, () => {
      ctx.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=()');
      // Answers hold a business's data: nothing between us and the caller keeps them, unless a route says otherwise.
      if (ctx.path.startsWith('/api/')) ctx.set('Cache-Control', 'no-store');
      return next();
    });
}
