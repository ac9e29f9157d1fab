import type { IncomingHttpHeaders } from 'node:http';
import { parseApiKey } from '../adapters/crypto/api-keys.ts';
import { ApiKey } from '../db/models/api-key.ts';
import { Session } from '../db/models/session.ts';
import { Tenant } from '../db/models/tenant.ts';
import { User } from '../db/models/user.ts';
import { extendSession } from '../db/writes/sessions.ts';
import type { TenantTransaction } from '../db/with-tenant.ts';
import type { Caller } from '../domain/caller.ts';
import { unauthenticated } from '../domain/errors.ts';
import type { Deps } from './deps.ts';

/** Which credentials a route takes: /api takes either and prefers the key, /api/v1 takes keys only. */
export type Credentials = 'any' | 'key';

/** Who calls, or a 401. Role, plan and whether the user is active are read anew for each request. */
export async function authenticate(
  deps: Pick<Deps, 'withTenant' | 'lookups' | 'cookies'>,
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
  { withTenant, lookups }: Pick<Deps, 'withTenant' | 'lookups'>,
  authorization: string,
  requestId: string,
): Promise<Caller> {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  const parsed = token === undefined ? undefined : parseApiKey(token);
  if (!parsed) throw unauthenticated();
  const found = await lookups.apiKey(parsed.hash);
  if (!found) throw unauthenticated();
  const { tenantId, apiKeyId } = found;
  return withTenant(tenantId, async (trx) => {
    const key = await ApiKey.query(trx).findOne({ tenantId, id: apiKeyId }).whereNull('revokedAt');
    if (!key) throw unauthenticated();
    // At most once a minute: a write for each call would cost more than the call.
    await ApiKey.query(trx)
      .findOne({ tenantId, id: apiKeyId })
      .where((query) => void query.whereNull('lastUsedAt').orWhere('lastUsedAt', '<', new Date(Date.now() - 60_000)))
      .patch({ lastUsedAt: new Date() });
    return callerOf(trx, { tenantId, userId: key.userId, credential: { kind: 'key', id: key.id }, requestId });
  });
}

async function bySession(
  { withTenant, cookies }: Pick<Deps, 'withTenant' | 'cookies'>,
  cookie: string,
  requestId: string,
): Promise<Caller> {
  const ids = await cookies.open(cookie);
  if (!ids) throw unauthenticated();
  const { tenantId, userId, sessionId } = ids;
  return withTenant(tenantId, async (trx) => {
    const session = await Session.query(trx).findOne({ tenantId, id: sessionId, userId }).whereNull('revokedAt');
    if (!session || session.expiresAt <= new Date()) throw unauthenticated();
    await extendSession(trx, session);
    return callerOf(trx, { tenantId, userId, credential: { kind: 'session', id: sessionId }, requestId });
  });
}

async function callerOf(trx: TenantTransaction, known: Omit<Caller, 'role' | 'plan'>): Promise<Caller> {
  const user = await User.query(trx).findOne({ tenantId: known.tenantId, id: known.userId, isActive: true });
  const tenant = await Tenant.query(trx).findById(known.tenantId);
  if (!user || !tenant) throw unauthenticated();
  return { ...known, role: user.role, plan: tenant.plan };
}

/** One cookie out of the header (RFC 6265). */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(/; */).find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
