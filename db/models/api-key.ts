import { Row } from './row.ts';

/** Only the hash of the key is stored. */
export class ApiKey extends Row {
  static override readonly tableName = 'apiKeys';

  declare id: string;
  declare tenantId: string;
  declare userId: string; //         whose permissions it has, read at each call
  declare name: string;
  declare hash: string; //           SHA-256, hex
  declare prefix: string;
  declare last4: string;
  declare lastUsedAt: Date | null;
  declare revokedAt: Date | null;
  declare createdAt: Date;
}
