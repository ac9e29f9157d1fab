import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { type Locale, localeNamed } from '../../domain/locale.ts';
import { queryOf } from './quote-view.ts';

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

/** Redirects to the quote's page, or to another one of it, in the chosen language. */
export function backTo(ctx: Context, token: string, page = ''): void {
  ctx.status = 303;
  const path = `/p/${encodeURIComponent(token)}${page}`;
  ctx.set({ Location: `${path}${queryOf(chosenLocale(ctx))}`, 'Cache-Control': 'no-store' });
  ctx.body = '';
}

/** The language of `?lang=`. Unknown values are ignored. */
export const chosenLocale = (ctx: Context): Locale | undefined => localeNamed(ctx.query['lang']);
