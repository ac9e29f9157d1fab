import helmet, { type HelmetOptions } from 'helmet';
import type { Context, Middleware, Next } from 'koa';

/** A year in seconds, as browsers' preload lists ask for. */
const HSTS_SECONDS = 31_536_000;

/**
 * What keeps browsers from guessing types, framing, running foreign scripts and telling others our addresses. On every
 * answer, so it comes first; a page with needs of its own replaces the policy.
 */
export function securityHeaders(publicUrl: string): Middleware {
  const isSecure = publicUrl.startsWith('https:');
  const headers = {
    ...headersOfHelmet({
      contentSecurityPolicy: {
        // Without https the upgrade would send every file of a page to a port where nothing listens.
        directives: { 'frame-ancestors': ["'none'"], 'upgrade-insecure-requests': isSecure ? [] : null },
      },
      // A browser that believed it over http would refuse to come back.
      strictTransportSecurity: isSecure && { maxAge: HSTS_SECONDS, includeSubDomains: true },
      frameguard: { action: 'deny' },
    }),
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  };
  return (ctx: Context, next: Next) => {
    ctx.set(headers);
    // Answers hold a business's data: nothing between us and the caller keeps them, unless a route says otherwise.
    if (ctx.path.startsWith('/api/')) ctx.set('Cache-Control', 'no-store');
    return next();
  };
}

/** Asked once, since they are the same on every answer and Helmet makes them anew each time. */
function headersOfHelmet(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  const set = helmet(options);
  type Given = Parameters<typeof set>;
  const answer = { setHeader: (name: string, value: string) => (headers[name] = value), removeHeader: () => undefined };
  // Of a request Helmet reads nothing, of an answer it calls these two.
  set({} as Given[0], answer as unknown as Given[1], (problem) => {
    if (problem) throw problem;
  });
  return headers;
}
