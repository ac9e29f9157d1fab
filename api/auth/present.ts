import type { User } from '../../db/models/user.ts';
import type { Plan } from '../../domain/plans.ts';
import type { ResponseBody } from '../schema.ts';
import type { SessionBody } from './schema.ts';

/** `expires` is null for an API key, which does not expire. */
export const sessionBody = (user: User, plan: Plan, expires: Date | null): ResponseBody<typeof SessionBody> => ({
  user: { id: user.id, email: user.email, name: user.name, role: user.role, tenantId: user.tenantId, plan },
  expires: expires === null ? null : expires.toISOString(),
});
