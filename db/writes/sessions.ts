import sql from 'sql-template-tag';
import { newId } from '../ids.ts';
import { Session } from '../models/session.ts';
import { named, type NamedStatement } from '../pipeline.ts';
import type { TenantTransaction } from '../with-tenant.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session ends 7 days after its last use, and 30 days after it began at the latest. */
const SLIDING_MS = 7 * DAY_MS;
const ABSOLUTE_MS = 30 * DAY_MS;
/** A use is noted at most this often: a write would cost more than the rest of a small request. */
const STEP_MS = 5 * 60 * 1000;

/** Where a session is used from. */
export interface SessionSource {
  readonly ip: string;
  readonly userAgent: string;
}

/** When a session that began then ends whatever happens. */
export const absoluteEnd = (createdAt: Date): Date => new Date(createdAt.getTime() + ABSOLUTE_MS);

export async function startSession(
  trx: TenantTransaction,
  user: { tenantId: string; id: string },
  { ip, userAgent }: SessionSource,
): Promise<Session> {
  const now = Date.now();
  return Session.query(trx).insertAndFetch({
    id: newId(),
    tenantId: user.tenantId,
    userId: user.id,
    createdAt: new Date(now),
    expiresAt: new Date(now + SLIDING_MS),
    lastSeenAt: new Date(now),
    ip,
    userAgent,
  });
}

/** Whether a use of a session now is noted. */
export const isUseWorthNoting = ({ lastSeenAt }: Pick<Session, 'lastSeenAt'>): boolean =>
  lastSeenAt === null || Date.now() - lastSeenAt.getTime() >= STEP_MS;

/** The statement that notes that a session is used, from where, and moves its end. */
export function sessionUse(
  { tenantId, id, createdAt }: Pick<Session, 'tenantId' | 'id' | 'createdAt'>,
  { ip, userAgent }: SessionSource,
): NamedStatement {
  const now = Date.now();
  const expiresAt = new Date(Math.min(now + SLIDING_MS, absoluteEnd(createdAt).getTime()));
  return named(
    'note-session-use',
    sql`update sessions set expires_at = ${expiresAt}, last_seen_at = ${new Date(now)}, ip = ${ip}, user_agent = ${userAgent}
      where tenant_id = ${tenantId} and id = ${id}`,
  );
}

/** Ends a session at once; ending it again changes nothing. */
export async function revokeSession(trx: TenantTransaction, tenantId: string, sessionId: string): Promise<void> {
  await Session.query(trx).findOne({ tenantId, id: sessionId }).whereNull('revokedAt').patch({ revokedAt: new Date() });
}

/** Ends every session of a user, except one if it is given. */
export async function revokeSessionsOf(
  trx: TenantTransaction,
  { tenantId, userId, except = null }: { tenantId: string; userId: string; except?: string | null },
): Promise<void> {
  const others = Session.query(trx).where({ tenantId, userId }).whereNull('revokedAt');
  if (except !== null) void others.whereNot({ id: except });
  await others.patch({ revokedAt: new Date() });
}
