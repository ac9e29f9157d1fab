import { Row } from './row.ts';
import type { Role } from '../../domain/permissions.ts';

export class User extends Row {
  static override readonly tableName = 'users';

  declare id: string;
  declare tenantId: string;
  declare email: string; //                once verified unique over all tenants, folded by foldEmailAddress
  declare emailVerifiedAt: Date | null; // null until a mail to it was answered
  declare name: string;
  declare role: Role; //                   text + check
  declare passwordHash: string | null; //  argon2id; null until an invited user chose one
  declare isActive: boolean;
  declare lastLoginAt: Date | null;
  declare invitedAt: Date | null; //       null for the user who registered the business
  declare acceptedAt: Date | null;
  declare knownNetworks: string[]; //      that the user signed in from, newest first
  declare createdAt: Date;
  declare updatedAt: Date;
}
