import { Row } from './row.ts';

/** A share of a quote by mail. Its id is that of the workflow update and of the quote.sent event. */
export class QuoteShare extends Row {
  static override readonly tableName = 'quoteShares';

  declare id: string;
  declare tenantId: string;
  declare quoteId: string;
  declare clientId: string; //          of the quote when it was shared
  declare recipients: string | null; // JSON: ShareRecipients; null = the client
  declare message: string | null;
  declare status: 'PENDING' | 'SENT' | 'FAILED';
  declare rejected: number[]; //        positions in the list of all recipients, `to` first
  declare createdAt: Date;
  declare closedAt: Date | null;
}
