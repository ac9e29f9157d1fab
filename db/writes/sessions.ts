import { newId } from '../ids.ts';
import { Session } from '../models/session.ts';
import type { TenantTransaction } from '../with-tenant.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session ends 7 days after its last use, and 30 days after it began at the latest. */
const SLIDING_MS = 7 * DAY_MS;
const ABSOLUTE_MS = 30 * DAY_MS;
/** A use moves the end at most this often. */
const STEP_MS = 60 * 60 * 1000;

/** When a session that began then ends whatever happens. */
export const absoluteEnd = (createdAt: Date): Date => new Date(createdAt.getTime() + ABSOLUTE_MS);

export async function startSession(trx: TenantTransaction, user: { tenantId: string; id: string }): Promise<Session> {
  const now = Date.now();
  return Session.query(trx).insertAndFetch({
    id: newId(),
    tenantId: user.tenantId,
    userId: user.id,
    createdAt: new Date(now),
    expiresAt: new Date(now + SLIDING_MS),
  });
}

/** Where a session that is being used now should end; undefined while it is not worth a write. */
export function laterEnd({ createdAt, expiresAt }: Pick<Session, 'createdAt' | 'expiresAt'>): Date | undefined {
  const end = new Date(Math.min(Date.now() + SLIDING_MS, absoluteEnd(createdAt).getTime()));
  return end.getTime() - expiresAt.getTime() < STEP_MS ? undefined : end;
}

/** Moves the end of a session that is being used. */
export async function extendSession(
  trx: TenantTransaction,
  { tenantId, id, expiresAt }: Pick<Session, 'tenantId' | 'id' | 'expiresAt'>,
): Promise<void> {
  await Session.query(trx).findOne({ tenantId, id }).patch({ expiresAt });
}

/** Ends a session at once; ending it again changes nothing. */
export async function revokeSession(trx: TenantTransaction, tenantId: string, sessionId: string): Promise<void> {
  await Session.query(trx).findOne({ tenantId, id: sessionId }).whereNull('revokedAt').patch({ revokedAt: new Date() });
}

/** Ends every session of a user at once. */
export async function revokeSessionsOf(trx: TenantTransaction, tenantId: string, userId: string): Promise<void> {
  await Session.query(trx).where({ tenantId, userId }).whereNull('revokedAt').patch({ revokedAt: new Date() });
}
