import type { Context } from 'koa';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every page. */
export function setPageHeaders(ctx: Context, hasTokenInUrl: boolean): void {
  ctx.set({
    'Content-Security-Policy': POLICY,
    // With `no-referrer` browsers post forms with `Origin: null`, so only pages that need it have it.
    'Referrer-Policy': hasTokenInUrl ? 'no-referrer' : 'same-origin',
    'X-Robots-Tag': 'noindex, nofollow',
    'Cache-Control': 'no-store',
  });
}
