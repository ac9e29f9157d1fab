import type { KeyScope } from '../../domain/caller.ts';
import type { Role } from '../../domain/permissions.ts';
import type { Plan } from '../../domain/plans.ts';
import type { TimeZone } from '../../domain/zone.ts';
import type { NamedStatement, PipelinedRead } from '../pipeline.ts';

/** The permissions of a request's caller by its credential, read for each request in one statement. */
export interface Members {
  /**
   * Undefined unless the session exists, its user and business are active and all belong together; the expiry is checked by the
   * caller.
   */
  bySession(session: SessionRef): Promise<StandingSession | undefined>;
  /** Undefined unless the key is neither revoked nor expired and its user and business are active. */
  byApiKey(key: KeyRef): Promise<StandingKey | undefined>;
}

export interface SessionRef {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
}

export interface KeyRef {
  readonly tenantId: string;
  readonly apiKeyId: string;
}

export interface Standing {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly plan: Plan;
  readonly isVerified: boolean;
  readonly timeZone: TimeZone;
  readonly country: string;
}

export interface StandingSession extends Standing {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastSeenAt: Date | null;
}

export interface StandingKey extends Standing {
  readonly userId: string;
  readonly lastUsedAt: Date | null;
  readonly scope: KeyScope;
  readonly expiresAt: Date | null;
}

/** A disabled business has no members; an unconfirmed registration ends after a day. */
const STANDING = `t.disabled_at is null and (t.is_verified or t.created_at > now() - interval '1 day')`;

const BY_SESSION = {
  name: 'member-by-session',
  text: `select u.name, u.email, u.role, t.plan, t.is_verified as "isVerified", t.time_zone as "timeZone", t.country,
      s.created_at as "createdAt", s.expires_at as "expiresAt", s.last_seen_at as "lastSeenAt"
    from sessions s
    join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
    join tenants t on t.id = s.tenant_id
    where s.tenant_id = $1 and s.id = $2 and s.user_id = $3 and s.revoked_at is null and u.is_active and ${STANDING}`,
} as const;

const BY_API_KEY = {
  name: 'member-by-api-key',
  text: `select u.name, u.email, u.role, t.plan, t.is_verified as "isVerified", t.time_zone as "timeZone", t.country,
      k.user_id as "userId", k.last_used_at as "lastUsedAt", k.scope, k.expires_at as "expiresAt"
    from api_keys k
    join users u on u.tenant_id = k.tenant_id and u.id = k.user_id
    join tenants t on t.id = k.tenant_id
    where k.tenant_id = $1 and k.id = $2 and k.revoked_at is null and u.is_active
      and (k.expires_at is null or k.expires_at > now()) and ${STANDING}`,
} as const;

/** Reads a `StandingSession`. */
export const memberBySession = ({ tenantId, userId, sessionId }: SessionRef): NamedStatement => ({
  values: [tenantId, sessionId, userId],
  ...BY_SESSION,
});

/** Reads a `StandingKey`. */
export const memberByApiKey = ({ tenantId, apiKeyId }: KeyRef): NamedStatement => ({
  values: [tenantId, apiKeyId],
  ...BY_API_KEY,
});

export const createMembers = (read: PipelinedRead): Members => ({
  async bySession(session) {
    const [rows] = await read(session.tenantId, [memberBySession(session)]);
    // The columns are those of the statement.
    return rows?.[0] as StandingSession | undefined;
  },
  async byApiKey(key) {
    const [rows] = await read(key.tenantId, [memberByApiKey(key)]);
    return rows?.[0] as StandingKey | undefined;
  },
});
