import { Row } from './row.ts';
import type { AccountMailKind } from '../../domain/account-mail.ts';

/** The secret of a link in a mail, as a hash. */
export class OneTimeToken extends Row {
  static override readonly tableName = 'oneTimeTokens';

  declare id: string;
  declare tenantId: string;
  declare userId: string;
  declare kind: AccountMailKind;
  declare hash: string; //           SHA-256, hex
  declare expiresAt: Date;
  declare usedAt: Date | null;
  declare createdAt: Date;
}
