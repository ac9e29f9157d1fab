/** The encrypted session cookies of Auth.js, one of the peers. */

export const AUTH_SECRET = 'a secret of the bench, 32 characters';
/** Auth.js' cookie, whose name is part of its key. */
const COOKIE = 'authjs.session-token';

export interface AuthJs {
  /** What a signed-in user's cookie holds, encrypted. */
  readonly encode: (ids: { readonly userId: string; readonly tenantId: string }) => Promise<string>;
  readonly decode: (token: string) => Promise<unknown>;
  readonly header: (token: string) => string;
}

// Typed here, since the peers are no part of the installation.
interface AuthJwt {
  encode(given: { token: object; secret: string; salt: string }): Promise<string>;
  decode(given: { token: string; secret: string; salt: string }): Promise<unknown>;
}

export async function openAuthJs(): Promise<AuthJs> {
  const jwt = (await import(new URL('../reference/node_modules/@auth/core/jwt.js', import.meta.url).href)) as AuthJwt;
  const key = { secret: AUTH_SECRET, salt: COOKIE };
  return {
    encode: ({ userId, tenantId }) => jwt.encode({ ...key, token: { sub: userId, role: 'OWNER', tenantId } }),
    decode: (token) => jwt.decode({ ...key, token }),
    header: (token) => `${COOKIE}=${token}`,
  };
}
