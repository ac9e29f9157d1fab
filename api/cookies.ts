import type { Context } from 'koa';

/**
 * The values of a cookie out of the header, in their order. A browser sends several of one name when another path or a
 * parent domain set it as well (RFC 6265, section 5.4), so the first need not be ours.
 */
export function cookieValues(header: string | undefined, name: string): readonly string[] {
  const pairs = header?.split(/; */) ?? [];
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

export interface CookieOptions {
  readonly path: string;
  /** Absent: the browser forgets it with its session. */
  readonly expires?: Date;
}

/** Sets a cookie that scripts cannot read and that other sites' requests do not carry; null removes it. */
export function setCookie(
  ctx: Context,
  { PUBLIC_URL }: { readonly PUBLIC_URL: string },
  { name, value, ...options }: CookieOptions & { readonly name: string; readonly value: string | null },
): void {
  const secure = PUBLIC_URL.startsWith('https:');
  // By PUBLIC_URL alone: behind a proxy that ends TLS the connection is plain, and the library would throw.
  ctx.cookies.secure = secure;
  ctx.cookies.set(name, value, { ...options, httpOnly: true, sameSite: 'lax', secure });
}
