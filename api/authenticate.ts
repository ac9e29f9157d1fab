import type { IncomingHttpHeaders } from 'node:http';
import { parseApiKey } from '../adapters/crypto/api-keys.ts';
import { ApiKey } from '../db/models/api-key.ts';
import { extendSession, laterEnd } from '../db/writes/sessions.ts';
import type { Caller } from '../domain/caller.ts';
import { unauthenticated } from '../domain/errors.ts';
import type { Deps } from './deps.ts';

/** Which credentials a route takes: /api takes either and prefers the key, /api/v1 takes keys only. */
export type Credentials = 'any' | 'key';

export type AuthDeps = Pick<Deps, 'withTenant' | 'lookups' | 'cookies' | 'members'>;

/** Who calls, or a 401. Role, plan and whether the user is active are read anew for each request. */
export async function authenticate(
  deps: AuthDeps,
  { headers, requestId, credentials }: { headers: IncomingHttpHeaders; requestId: string; credentials: Credentials },
): Promise<Caller> {
  const { authorization } = headers;
  if (authorization !== undefined) return byApiKey(deps, authorization, requestId);
  if (credentials === 'key') throw unauthenticated();
  const cookie = cookieValue(headers.cookie, deps.cookies.name);
  if (cookie === undefined) throw unauthenticated();
  return bySession(deps, cookie, requestId);
}

async function byApiKey(
  { withTenant, lookups, members }: AuthDeps,
  authorization: string,
  requestId: string,
): Promise<Caller> {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  const parsed = token === undefined ? undefined : parseApiKey(token);
  const found = parsed && (await lookups.apiKey(parsed.hash));
  if (!found) throw unauthenticated();
  const key = await members.byApiKey(found);
  if (!key) throw unauthenticated();
  const { tenantId, apiKeyId: id } = found;
  // At most once a minute: a write for each call would cost more than the call.
  const before = new Date(Date.now() - 60_000);
  if (key.lastUsedAt === null || key.lastUsedAt < before) {
    await withTenant(tenantId, (trx) =>
      ApiKey.query(trx)
        .findOne({ tenantId, id })
        .where((query) => void query.whereNull('lastUsedAt').orWhere('lastUsedAt', '<', before))
        .patch({ lastUsedAt: new Date() }),
    );
  }
  const { userId, role, plan } = key;
  return { tenantId, userId, role, plan, credential: { kind: 'key', id }, requestId };
}

async function bySession(
  { withTenant, cookies, members }: AuthDeps,
  cookie: string,
  requestId: string,
): Promise<Caller> {
  const ids = await cookies.open(cookie);
  const session = ids && (await members.bySession(ids));
  if (!session || session.expiresAt <= new Date()) throw unauthenticated();
  const { tenantId, userId, sessionId: id } = ids;
  const later = laterEnd(session);
  if (later) await withTenant(tenantId, (trx) => extendSession(trx, { tenantId, id, expiresAt: later }));
  const { role, plan } = session;
  return { tenantId, userId, role, plan, credential: { kind: 'session', id }, requestId };
}

/** One cookie out of the header (RFC 6265). */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(/; */).find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
