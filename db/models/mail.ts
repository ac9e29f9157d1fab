import { Row } from './row.ts';
import type { AccountMailKind } from '../../domain/account-mail.ts';
import type { AnswerMailKind } from '../../domain/answer.ts';
import type { MessageMailKind } from '../../domain/messages.ts';
import type { SecurityMailKind } from '../../domain/security-mail.ts';

/** A mail about a user's account, a client's answer or a message, to be sent by its workflow. */
export class Mail extends Row {
  static override readonly tableName = 'mails';

  declare id: string;
  declare tenantId: string;
  declare kind: AccountMailKind | AnswerMailKind | MessageMailKind | SecurityMailKind;
  declare userId: string | null; //       the recipient; null: the signer or the client of the quote
  declare tokenId: string | null; //      of a mail about an account
  declare quoteId: string | null; //      of a mail about an answer
  declare tokenSealed: string | null; //  until it is sent or given up
  declare messageId: string | null; //    the message that it carries
  declare details: string | null; //      JSON, of a mail about security
  declare status: 'PENDING' | 'SENT' | 'FAILED';
  declare failure: string | null;
  declare createdAt: Date;
  declare closedAt: Date | null;
}
