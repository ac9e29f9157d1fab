import { Row } from './row.ts';

/** The times of the reminder and of QUOTE_EXPIRING for a version of a quote, and what was done about them. */
export class ExpiryReminder extends Row {
  static override readonly tableName = 'expiryReminders';
  static override readonly idColumn = ['tenantId', 'quoteId', 'version'];

  declare tenantId: string;
  declare quoteId: string;
  declare version: number;
  declare expiresAt: Date; //          with reminderDays, the input of the times
  declare reminderDays: number;
  declare timeZone: string | null; //  null: computed before businesses had one
  declare remindAt: Date | null; //    null: already past when it was computed
  declare remindedAt: Date | null;
  declare mail: 'PENDING' | 'SENT' | 'FAILED' | 'SKIPPED' | null;
  declare announcedAt: Date | null; // of QUOTE_EXPIRING
}
