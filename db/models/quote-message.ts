import type { MessageDirection } from '../../domain/messages.ts';
import { Row } from './row.ts';

/** A message about a quote, from its client or to it. Never changed. */
export class QuoteMessage extends Row {
  static override readonly tableName = 'quoteMessages';

  declare id: string;
  declare tenantId: string;
  declare quoteId: string;
  declare direction: MessageDirection;
  declare userId: string | null; //      the member who wrote; null for the client
  declare authorName: string | null; //  as typed on the page, unverified, or the member's
  declare authorEmail: string | null;
  declare body: string; //               plain text, at most 2,000 code points
  declare version: number; //            of the quote when it was written
  declare createdAt: Date;
}
