import { Row } from './row.ts';

/** One row of `expiry_reminders`: what a version of a quote had of its two moments before it expires. */
export class ExpiryReminder extends Row {
  static override readonly tableName = 'expiryReminders';
  static override readonly idColumn = ['tenantId', 'quoteId', 'version'];

  declare tenantId: string;
  declare quoteId: string;
  declare version: number;
  declare expiresAt: Date; //          what the moments were reckoned from, as reminderDays
  declare reminderDays: number;
  declare timeZone: string | null; //  null: reckoned before businesses had one
  declare remindAt: Date | null; //    null: past already when it was reckoned
  declare remindedAt: Date | null;
  declare mail: 'PENDING' | 'SENT' | 'FAILED' | 'SKIPPED' | null;
  declare announcedAt: Date | null; // of QUOTE_EXPIRING
}
