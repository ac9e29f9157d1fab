import type { KeyScope } from '../../domain/caller.ts';
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
  declare scope: KeyScope;
  declare expiresAt: Date | null;
  declare lastUsedAt: Date | null;
  declare lastUsedIp: string | null;
  declare revokedAt: Date | null;
  declare createdAt: Date;
}
