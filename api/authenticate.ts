import type { IncomingHttpHeaders } from 'node:http';
import { parseApiKey } from '../adapters/crypto/api-keys.ts';
import { ApiKey } from '../db/models/api-key.ts';
import { isUseWorthNoting, noteUse } from '../db/writes/sessions.ts';
import type { Caller } from '../domain/caller.ts';
import { apiKeyInvalid, apiKeyRequired, credentialsMissing, sessionInvalid } from '../domain/request-refusals.ts';
import { cookieValues } from './cookies.ts';
import type { Deps } from './deps.ts';

/** Credentials that a route accepts: /api sessions and keys, preferring the key; /api/v1 only keys. */
export type Credentials = 'any' | 'key';

export type AuthDeps = Pick<Deps, 'withTenant' | 'lookups' | 'cookies' | 'members'>;

export interface RequestToAuthenticate {
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  readonly userAgent: string;
  readonly requestId: string;
  readonly credentials: Credentials;
}

/** Returns the caller or throws a 401. Role, plan and active flag are read for each request. */
export async function authenticate(
  deps: AuthDeps,
  { headers, ip, userAgent, requestId, credentials }: RequestToAuthenticate,
): Promise<Caller> {
  const { authorization } = headers;
  if (authorization !== undefined) return byApiKey(deps, authorization, { ip, requestId });
  if (credentials === 'key') throw apiKeyRequired();
  return bySession(deps, cookieValues(headers.cookie, deps.cookies.name), { ip, userAgent, requestId });
}

async function byApiKey(
  { withTenant, lookups, members }: AuthDeps,
  authorization: string,
  { ip, requestId }: { ip: string; requestId: string },
): Promise<Caller> {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  const parsed = token === undefined ? undefined : parseApiKey(token);
  const found = parsed && (await lookups.apiKey(parsed.hash));
  if (!found) throw apiKeyInvalid();
  const key = await members.byApiKey(found);
  if (!key) throw apiKeyInvalid();
  const { tenantId, apiKeyId: id } = found;
  // At most once a minute: a write would cost more than the rest of a small request.
  const before = new Date(Date.now() - 60_000);
  if (key.lastUsedAt === null || key.lastUsedAt < before) {
    await withTenant(tenantId, (trx) =>
      ApiKey.query(trx)
        .findOne({ tenantId, id })
        .where((query) => void query.whereNull('lastUsedAt').orWhere('lastUsedAt', '<', before))
        .patch({ lastUsedAt: new Date(), lastUsedIp: ip }),
    );
  }
  const { userId, name, email, role, plan, isVerified, timeZone, country, scope, expiresAt } = key;
  const standing = { userId, name, email, role, plan, isVerified, timeZone, country };
  return { tenantId, ...standing, credential: { kind: 'key', id, scope, expiresAt }, requestId };
}

async function bySession(
  deps: AuthDeps,
  cookies: readonly string[],
  { requestId, ...source }: { ip: string; userAgent: string; requestId: string },
): Promise<Caller> {
  const { tenantId, userId, sessionId: id, session } = await findSession(deps, cookies);
  if (isUseWorthNoting(session))
    await deps.withTenant(tenantId, (trx) => noteUse(trx, { ...session, tenantId, id }, source));
  const { name, email, role, plan, isVerified, timeZone, country } = session;
  const standing = { name, email, role, plan, isVerified, timeZone, country };
  return { tenantId, userId, ...standing, credential: { kind: 'session', id }, requestId };
}

/** Each cookie that decrypts costs a query. */
const MAX_SESSION_COOKIES = 4;

/**
 * The only live session among the cookies. Invalid cookies are ignored, so that a stray one does not lock the user out.
 * Two live sessions are refused: another site may have planted one, and the user would act in a stranger's account.
 */
async function findSession({ cookies, members }: AuthDeps, values: readonly string[]) {
  if (values.length === 0) throw credentialsMissing();
  if (values.length > MAX_SESSION_COOKIES) throw sessionInvalid();
  const opened = await Promise.all([...new Set(values)].map((value) => cookies.open(value)));
  const found = await Promise.all(
    opened.filter((ids) => ids !== undefined).map(async (ids) => ({ session: await members.bySession(ids), ...ids })),
  );
  const live = found.flatMap(({ session, ...ids }) =>
    session && session.expiresAt > new Date() ? [{ session, ...ids }] : [],
  );
  const [one] = live;
  if (!one || live.some(({ sessionId }) => sessionId !== one.sessionId)) throw sessionInvalid();
  return one;
}
