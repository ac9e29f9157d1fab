import type { Session } from '../../db/models/session.ts';
import type { User } from '../../db/models/user.ts';
import type { Plan } from '../../domain/plans.ts';
import type { ResponseBody } from '../schema.ts';
import type { ActiveSession, SessionBody } from './schema.ts';

/** `expires` is null for an API key that does not expire. */
export const sessionBody = (user: User, plan: Plan, expires: Date | null): ResponseBody<typeof SessionBody> => ({
  user: { id: user.id, email: user.email, name: user.name, role: user.role, tenantId: user.tenantId, plan },
  expires: expires === null ? null : expires.toISOString(),
});

export const activeSession = (session: Session, currentId: string): ResponseBody<typeof ActiveSession> => ({
  id: session.id,
  createdAt: session.createdAt.toISOString(),
  lastSeenAt: (session.lastSeenAt ?? session.createdAt).toISOString(),
  ip: session.ip,
  userAgent: session.userAgent,
  isCurrent: session.id === currentId,
});
