import helmet, { type HelmetOptions } from 'helmet';
import type { Context, Middleware, Next } from 'koa';

/** One year, the minimum of browsers' preload lists. */
const HSTS_SECONDS = 31_536_000;

/**
 * Security headers for browsers. First in the chain, so that every response has them. Pages may replace the policy.
 */
export function securityHeaders(publicUrl: string): Middleware {
  const isSecure = publicUrl.startsWith('https:');
  const headers = {
    ...headersOfHelmet({
      contentSecurityPolicy: {
        // Without https the upgrade would request every file from a port where nothing listens.
        directives: { 'frame-ancestors': ["'none'"], 'upgrade-insecure-requests': isSecure ? [] : null },
      },
      // Over http it would lock browsers out.
      strictTransportSecurity: isSecure && { maxAge: HSTS_SECONDS, includeSubDomains: true },
      frameguard: { action: 'deny' },
    }),
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  };
  return (ctx: Context, next: Next) => {
    ctx.set(headers);
    // Responses contain data of a business: no cache may store them unless a route allows it.
    if (ctx.path.startsWith('/api/')) ctx.set('Cache-Control', 'no-store');
    return next();
  };
}

/** Computed once, because they are constant and Helmet recomputes them for each response. */
function headersOfHelmet(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  const set = helmet(options);
  type Given = Parameters<typeof set>;
  const response = {
    setHeader: (name: string, value: string) => (headers[name] = value),
    removeHeader: () => undefined,
  };
  // Helmet does not read the request and calls only these two methods of the response.
  set({} as Given[0], response as unknown as Given[1], (problem) => {
    if (problem) throw problem;
  });
  return headers;
}
