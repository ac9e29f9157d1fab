import { Row } from './row.ts';

/** Replaces a code of the second factor once. Only its hash is stored. */
export class RecoveryCode extends Row {
  static override readonly tableName = 'recoveryCodes';

  declare id: string;
  declare tenantId: string;
  declare userId: string;
  declare hash: string; //        SHA-256, hex
  declare usedAt: Date | null;
  declare createdAt: Date;
}
