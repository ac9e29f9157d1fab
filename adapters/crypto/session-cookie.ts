import { createHash, hkdfSync } from 'node:crypto';
import { type CryptoKey, EncryptJWT, errors, jwtDecrypt } from 'jose';
import { LRUCache } from 'lru-cache';

/**
 * The session cookie: an encrypted JWT that holds ids only. Whether the session is still valid, and what its member may
 * do, is read from the database at each request.
 */

export interface SessionIds {
  readonly sessionId: string;
  readonly userId: string;
  readonly tenantId: string;
}

export interface SessionCookies {
  readonly name: string;
  seal(ids: SessionIds, expires: Date): Promise<string>;
  /** The ids of a valid cookie that has not expired; undefined for any other text. */
  open(token: string): Promise<SessionIds | undefined>;
}

/** The claims of a cookie. */
interface Claims {
  readonly ids: SessionIds;
  /** Seconds since 1970, as in the token. */
  readonly exp: number;
}

/**
 * How many decrypted cookies are cached: decrypting one takes longer than the rest of a small request. Whether the
 * session is still valid is read from the database all the same.
 */
const MAX_CACHED = 1_000;

interface CookieKey {
  readonly kid: string;
  /** Imported once: repeating it for each cookie is half of the cost of decrypting one. */
  readonly key: Promise<CryptoKey>;
}

/**
 * Name of the session cookie. With the `__Host-` prefix browsers accept it over https only, and not from a sister
 * domain or for a path (RFC 6265bis, section 4.1.3.2).
 */
export const sessionCookieName = (secure: boolean): string => `${secure ? '__Host-' : ''}quoting.session-token`;

/**
 * @param options.secrets SESSION_SECRETS, comma-separated: the first encrypts, all decrypt.
 * @param options.secure whether the service is reached over https.
 */
export function createSessionCookies({ secrets, secure }: { secrets: string; secure: boolean }): SessionCookies {
  const name = sessionCookieName(secure);
  const keys = secrets.split(',').map((secret) => deriveKey(secret, name));
  const [current] = keys;
  if (!current) throw new TypeError('at least one session secret is needed');

  const findKey = ({ kid }: { kid?: string | undefined }): Promise<CryptoKey> => {
    const known = keys.find((candidate) => candidate.kid === kid);
    if (!known) throw new errors.JWEDecryptionFailed();
    return known.key;
  };

  const cached = new LRUCache<string, Claims>({ max: MAX_CACHED });

  return {
    name,

    seal: async ({ sessionId, userId, tenantId }, expires) =>
      new EncryptJWT({ sid: sessionId, tid: tenantId })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: current.kid })
        .setSubject(userId)
        .setIssuedAt()
        .setExpirationTime(expires)
        .encrypt(await current.key),

    async open(token) {
      const known = cached.get(token);
      // As in jose: expired from the very second that the claim names.
      if (known) return known.exp > Math.floor(Date.now() / 1_000) ? known.ids : undefined;
      try {
        const { payload } = await jwtDecrypt(token, findKey, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          requiredClaims: ['exp', 'sub', 'sid', 'tid'],
        });
        const { sub, sid, tid, exp } = payload;
        if (typeof sub !== 'string' || typeof sid !== 'string' || typeof tid !== 'string' || exp === undefined)
          return undefined;
        const ids = { sessionId: sid, userId: sub, tenantId: tid };
        cached.set(token, { ids, exp });
        return ids;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

/** The cookie's name is the salt, so a token made for http cannot pass for one made for https. */
function deriveKey(secret: string, cookieName: string): CookieKey {
  const bytes = new Uint8Array(hkdfSync('sha256', secret, cookieName, 'quoting session cookie', 32));
  return {
    kid: createHash('sha256').update(bytes).digest('base64url').slice(0, 8),
    key: crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']),
  };
}
