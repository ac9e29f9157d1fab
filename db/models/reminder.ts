import { Row } from './row.ts';

export const REMINDER_STATUSES = ['PENDING', 'FIRED', 'CANCELLED'] as const;

/** A time at which the creator of a quote is reminded of it. */
export class Reminder extends Row {
  static override readonly tableName = 'reminders';

  declare id: string;
  declare tenantId: string;
  declare quoteId: string;
  declare userId: string; //               the quote's creator
  declare automationId: string | null; //  the one that made it; it may have been deleted
  declare logId: string | null; //         the automation step that made it
  declare actionIndex: number | null;
  declare message: string;
  declare dueAt: Date;
  declare status: (typeof REMINDER_STATUSES)[number];
  declare firedAt: Date | null;
  declare createdAt: Date;
}
