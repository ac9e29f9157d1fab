import { Row } from './row.ts';
import type { AccountMailKind } from '../../domain/account-mail.ts';

/** A mail to a user about their account, to be sent by its workflow. */
export class Mail extends Row {
  static override readonly tableName = 'mails';

  declare id: string;
  declare tenantId: string;
  declare kind: AccountMailKind;
  declare userId: string;
  declare tokenId: string;
  declare tokenSealed: string | null; //  until it is sent or given up
  declare status: 'PENDING' | 'SENT' | 'FAILED';
  declare failure: string | null;
  declare createdAt: Date;
  declare closedAt: Date | null;
}
