import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';

/** Allows the style element of one response. */
export const newNonce = (): string => randomBytes(16).toString('base64');

/** Only our own origin; the nonce allows the inline style element. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    // The page's script sends the forms, so that a lost connection does not lose the input.
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Responds with a page. */
export function send(ctx: Context, { status, nonce, html }: { status: number; nonce: string; html: string }): void {
  ctx.status = status;
  ctx.set({
    'Content-Security-Policy': policy(nonce),
    // The URL contains the token. Not `no-referrer`, with which browsers post forms with `Origin: null`.
    'Referrer-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex, nofollow',
    'Cache-Control': 'no-store',
  });
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
}
