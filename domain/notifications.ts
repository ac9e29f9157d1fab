/** The kinds of notifications. */
export const NOTIFICATION_TYPES = [
  'quote_won',
  'quote_lost',
  'quote_accepted',
  'quote_rejected',
  'quote_viewed',
  'quote_expiring',
  'quote_changes_requested',
  'reminder',
  'automation',
  'webhook_disabled',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];
