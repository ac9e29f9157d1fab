import { Row } from './row.ts';

/** A follow-up to the client of a quote: its time, and what was done about it. */
export class FollowUp extends Row {
  static override readonly tableName = 'followUps';
  static override readonly idColumn = ['tenantId', 'quoteId', 'version', 'day'];

  declare tenantId: string;
  declare quoteId: string;
  declare version: number;
  declare day: number; //            days after the last share
  declare dueAt: Date;
  declare claimedAt: Date | null;
  declare mail: 'PENDING' | 'SENT' | 'FAILED' | 'SKIPPED' | null;
}
