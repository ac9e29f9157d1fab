import type { User } from '../../db/models/user.ts';
import type { ResponseBody } from '../schema.ts';
import type { CollaboratorBody } from './schema.ts';

export const collaboratorBody = (user: User): ResponseBody<typeof CollaboratorBody> => ({
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  isActive: user.isActive,
  invitedAt: user.invitedAt?.toISOString() ?? null,
  acceptedAt: user.acceptedAt?.toISOString() ?? null,
  lastLoginAt: user.lastLoginAt?.toISOString() ?? null,
});
