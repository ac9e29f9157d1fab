import type { Context } from 'koa';
import { foreignOrigin } from '../../domain/errors.ts';

/**
 * Guards the forms of the console against CSRF. A browser that sends Sec-Fetch-Site must say same-origin; its Origin may
 * then be `null`, as from pages with `Referrer-Policy: no-referrer`. Others must send our own Origin.
 */
export function assertOwnForm(ctx: Context, publicUrl: string): void {
  const site = ctx.get('Sec-Fetch-Site');
  const isOwn = site === 'same-origin' || (site === '' && ctx.get('Origin') === new URL(publicUrl).origin);
  if (!isOwn) throw foreignOrigin();
}

/** Paths of pages, to which a sign-in may lead. */
export interface OwnPaths {
  has(method: 'GET' | 'POST', path: string): boolean;
}

export function ownPaths(pages: readonly { readonly method: string; readonly path: string }[]): OwnPaths {
  const patterns = pages.map(({ method, path }) => ({
    method,
    // Parameters are the only special part of our paths.
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  }));
  return {
    has: (method, path) => patterns.some((each) => each.method === method && each.pattern.test(path)),
  };
}

/** Characters that browsers would read as another address, and those that no path of ours has. */
const UNSAFE = /[\\\p{Cc}\p{Zl}\p{Zp}]/u;

/** The path with its query if it is one of our pages; undefined for anything else, such as an address elsewhere. */
export function localPath(text: string | undefined, method: 'GET' | 'POST', paths: OwnPaths): string | undefined {
  if (text === undefined || !/^\/(?!\/)/.test(text) || UNSAFE.test(text)) return undefined;
  const base = 'http://localhost';
  if (!URL.canParse(text, base)) return undefined;
  const { origin, pathname, search } = new URL(text, base);
  return origin === base && paths.has(method, pathname) ? pathname + search : undefined;
}
