import { Row } from './row.ts';

/** A signed-in browser. The cookie holds its id; revoking the row ends the session. */
export class Session extends Row {
  static override readonly tableName = 'sessions';

  declare id: string;
  declare tenantId: string;
  declare userId: string;
  declare createdAt: Date;
  declare expiresAt: Date; //        extended while the session is used
  declare lastSeenAt: Date | null; // null for one that began before this was noted
  declare ip: string | null; //       of the last use
  declare userAgent: string | null;
  declare revokedAt: Date | null;
}
