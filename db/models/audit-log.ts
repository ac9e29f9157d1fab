import { Row } from './row.ts';

/** Append-only. */
export class AuditLog extends Row {
  static override readonly tableName = 'auditLogs';

  declare id: string;
  declare tenantId: string;
  declare userId: string | null;
  declare actor: string; //            user, key, mail, portal, automation or operator
  declare action: string;
  declare entity: string;
  declare entityId: string;
  declare metadata: string; //         JSON text
  declare requestId: string | null;
  declare createdAt: Date;
}
