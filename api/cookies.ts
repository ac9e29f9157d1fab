import type { Context } from 'koa';

/**
 * All values of a cookie, in the order of the header. A browser sends several of one name if another path or a parent
 * domain set it too (RFC 6265, section 5.4), so the first need not be ours.
 */
export function cookieValues(header: string | undefined, name: string): readonly string[] {
  const pairs = header?.split(/; */) ?? [];
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

export interface CookieOptions {
  readonly path: string;
  /** Absent: a session cookie. */
  readonly expires?: Date;
}

/** Sets a cookie that is HttpOnly and SameSite; null removes it. */
export function setCookie(
  ctx: Context,
  { PUBLIC_URL }: { readonly PUBLIC_URL: string },
  { name, value, ...options }: CookieOptions & { readonly name: string; readonly value: string | null },
): void {
  const secure = PUBLIC_URL.startsWith('https:');
  // Derived from PUBLIC_URL: behind a proxy that terminates TLS the connection is plain, and the library would throw.
  ctx.cookies.secure = secure;
  ctx.cookies.set(name, value, { ...options, httpOnly: true, sameSite: 'lax', secure });
}
