import { Row } from './row.ts';

/** One row of `sessions`: a signed-in browser. The cookie names it; revoking the row ends it. */
export class Session extends Row {
  static override readonly tableName = 'sessions';

  declare id: string;
  declare tenantId: string;
  declare userId: string;
  declare createdAt: Date;
  declare expiresAt: Date; //        slides with use
  declare revokedAt: Date | null;
}
