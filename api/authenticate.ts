import type { IncomingHttpHeaders } from 'node:http';
import { parseApiKey } from '../adapters/crypto/api-keys.ts';
import { send, type NamedStatement } from '../db/pipeline.ts';
import {
  type KeyRef,
  memberByApiKey,
  memberBySession,
  type SessionRef,
  type StandingKey,
  type StandingSession,
} from '../db/reads/members.ts';
import { apiKeyUse, isKeyUseWorthNoting } from '../db/writes/api-key-use.ts';
import { isUseWorthNoting, sessionUse } from '../db/writes/sessions.ts';
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

/** A caller whose credential is good. */
export interface Authenticated {
  readonly caller: Caller;
  /** The statements that note the use of the credential; none unless it is due. */
  readonly use: readonly NamedStatement[];
}

/** Returns the caller or throws a 401. Role, plan and active flag are read for each request. */
export async function authenticate(deps: AuthDeps, request: RequestToAuthenticate): Promise<Caller> {
  const { caller, use } = await byCredential(deps, request);
  if (use.length > 0) await deps.withTenant(caller.tenantId, (trx) => send(trx, use));
  return caller;
}

async function byCredential(deps: AuthDeps, request: RequestToAuthenticate): Promise<Authenticated> {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) {
    const key = await findKey(deps, authorization);
    return withKey(key, await deps.members.byApiKey(key), request);
  }
  if (request.credentials === 'key') throw apiKeyRequired();
  const { session, ...ids } = await findSession(deps, cookieValues(cookie, deps.cookies.name));
  return withSession(ids, session, request);
}

/** A caller whom a credential names, and whom the database has yet to confirm. */
export interface ClaimedCaller {
  readonly tenantId: string;
  /** Reads the rows that confirm it, in a transaction of the tenant. */
  readonly statement: NamedStatement;
  /** Throws a 401 unless the rows confirm it. */
  readonly confirm: (rows: readonly unknown[]) => Authenticated;
}

/**
 * The caller whom the request's credential names, for a transaction that confirms it with its own first statements.
 * Throws a 401 for an unknown key. Undefined when only `authenticate` can tell: without a cookie, and with several.
 */
export async function claimedCaller(
  deps: AuthDeps,
  request: RequestToAuthenticate,
): Promise<ClaimedCaller | undefined> {
  const { authorization, cookie } = request.headers;
  // The columns of the rows are those of the statements.
  if (authorization !== undefined) {
    const key = await findKey(deps, authorization);
    return {
      tenantId: key.tenantId,
      statement: memberByApiKey(key),
      confirm: ([row]) => withKey(key, row as StandingKey | undefined, request),
    };
  }
  if (request.credentials === 'key') return undefined;
  const [value, ...others] = cookieValues(cookie, deps.cookies.name);
  const ids = value === undefined || others.length > 0 ? undefined : await deps.cookies.open(value);
  return (
    ids && {
      tenantId: ids.tenantId,
      statement: memberBySession(ids),
      confirm: ([row]) => withSession(ids, liveSession(row as StandingSession | undefined), request),
    }
  );
}

async function findKey({ lookups }: AuthDeps, authorization: string): Promise<KeyRef> {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  const parsed = token === undefined ? undefined : parseApiKey(token);
  const found = parsed && (await lookups.apiKey(parsed.hash));
  if (!found) throw apiKeyInvalid();
  return found;
}

function withKey(ref: KeyRef, key: StandingKey | undefined, { ip, requestId }: RequestToAuthenticate): Authenticated {
  if (!key) throw apiKeyInvalid();
  const { tenantId, apiKeyId: id } = ref;
  const { userId, name, email, role, plan, isVerified, timeZone, country, scope, expiresAt } = key;
  const standing = { userId, name, email, role, plan, isVerified, timeZone, country };
  return {
    caller: { tenantId, ...standing, credential: { kind: 'key', id, scope, expiresAt }, requestId },
    use: isKeyUseWorthNoting(key) ? [apiKeyUse(ref, ip)] : [],
  };
}

function withSession(
  { tenantId, userId, sessionId: id }: SessionRef,
  session: StandingSession | undefined,
  { requestId, ...source }: RequestToAuthenticate,
): Authenticated {
  if (!session) throw sessionInvalid();
  const { name, email, role, plan, isVerified, timeZone, country, createdAt } = session;
  const standing = { name, email, role, plan, isVerified, timeZone, country };
  return {
    caller: { tenantId, userId, ...standing, credential: { kind: 'session', id }, requestId },
    use: isUseWorthNoting(session) ? [sessionUse({ tenantId, id, createdAt }, source)] : [],
  };
}

const liveSession = (session: StandingSession | undefined): StandingSession | undefined =>
  session && session.expiresAt > new Date() ? session : undefined;

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
    opened
      .filter((ids) => ids !== undefined)
      .map(async (ids) => ({ session: liveSession(await members.bySession(ids)), ...ids })),
  );
  const live = found.flatMap(({ session, ...ids }) => (session ? [{ session, ...ids }] : []));
  const [one] = live;
  if (!one || live.some(({ sessionId }) => sessionId !== one.sessionId)) throw sessionInvalid();
  return one;
}
