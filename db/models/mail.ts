import { Row } from './row.ts';
import type { AccountMailKind } from '../../domain/account-mail.ts';
import type { MessageMailKind } from '../../domain/messages.ts';

/** A mail about an account or a message, to be sent by its workflow. */
export class Mail extends Row {
  static override readonly tableName = 'mails';

  declare id: string;
  declare tenantId: string;
  declare kind: AccountMailKind | MessageMailKind;
  declare userId: string | null; //       the recipient; null for the client of the message's quote
  declare tokenId: string | null; //      of a mail about an account
  declare tokenSealed: string | null; //  until it is sent or given up
  declare messageId: string | null; //    the message that it carries
  declare status: 'PENDING' | 'SENT' | 'FAILED';
  declare failure: string | null;
  declare createdAt: Date;
  declare closedAt: Date | null;
}
