import type { Context, Middleware, Next } from 'koa';

const ALLOWED_METHODS = 'GET, POST, PUT, PATCH, DELETE';
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Request-Id';
const EXPOSED_HEADERS =
  'Content-Disposition, ETag, Idempotency-Replayed, Location, Preference-Applied, RateLimit, RateLimit-Policy, ' +
  'Retry-After, WWW-Authenticate, X-Ignored-Members, X-Request-Id';
/** How long browsers cache a preflight. */
const PREFLIGHT_SECONDS = 600;

/**
 * Allows pages of CORS_ORIGINS to call the API with a bearer key. Access-Control-Allow-Credentials is never sent, so
 * browsers send no cookies and no origin can act as a signed-in user.
 *
 * @param origins CORS_ORIGINS: origins separated by commas, or `*` for all.
 */
export function cors(origins: string): Middleware {
  const allowed = new Set(
    origins
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  );
  if (allowed.size === 0) return (_ctx, next) => next();

  return async (ctx: Context, next: Next) => {
    if (!ctx.path.startsWith('/api/')) return next();
    // Caches must not reuse a response for another origin.
    if (!allowed.has('*')) ctx.vary('Origin');
    const origin = ctx.get('Origin');
    if (origin === '' || !(allowed.has('*') || allowed.has(origin))) return next();

    ctx.set('Access-Control-Allow-Origin', allowed.has('*') ? '*' : origin);
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') {
      ctx.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
      return next();
    }
    ctx.set({
      'Access-Control-Allow-Methods': ALLOWED_METHODS,
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    });
    ctx.status = 204;
    return undefined;
  };
}
