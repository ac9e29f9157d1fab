import { createHmac, timingSafeEqual } from 'node:crypto';

/** Authorises callers of the codec server by its token. Browsers submit it once and get a cookie. */

export const COOKIE = 'quoting.codec';
const SESSION_SECONDS = 12 * 60 * 60;

export interface CodecSessions {
  isToken(token: string): boolean;
  /** The value of a cookie that stands for the token, for 12 hours. */
  create(): { readonly value: string; readonly lastsS: number };
  isValid(cookie: string): boolean;
}

export function createCodecSessions(token: string, now: () => number = Date.now): CodecSessions {
  const sign = (expires: string): string =>
    createHmac('sha256', token).update(`codec session until ${expires}`).digest('base64url');
  return {
    isToken: (presented) => isEqual(presented, token),

    create() {
      const expires = String(Math.floor(now() / 1000) + SESSION_SECONDS);
      return { value: `${expires}.${sign(expires)}`, lastsS: SESSION_SECONDS };
    },

    isValid(cookie) {
      const [expires = '', signature = ''] = cookie.split('.');
      return isEqual(signature, sign(expires)) && Number(expires) > now() / 1000;
    },
  };
}

/** Compares in constant time; hashing makes the lengths equal. */
function isEqual(one: string, other: string): boolean {
  const hash = (value: string) => createHmac('sha256', 'codec').update(value).digest();
  return timingSafeEqual(hash(one), hash(other));
}
