/** The periodic chores by name, in the order in which they run. */

/** Deletes what is past its retention. */
export const RETENTION_CHORES = [
  'webhook_bodies',
  'webhook_deliveries',
  'outbox_events',
  'idempotency_keys',
  'sessions',
  'account_mails',
  // After the mails, which refer to them.
  'one_time_tokens',
  'notifications',
  'automation_logs',
  'imports',
  'registrations',
  'stored_pdfs',
  // Deletes nothing: compares the rows with the storage.
  'stored_files',
] as const;

/** Seals the new entries of the audit logs. */
export const SEALING_CHORES = ['audit_seals'] as const;

export type RetentionChore = (typeof RETENTION_CHORES)[number];
export type Chore = RetentionChore | (typeof SEALING_CHORES)[number];

/** Retention in days. */
export interface Retention {
  /** Request and response bodies of webhooks, after the delivery ended. */
  readonly webhookBodies: number;
  /** Deliveries and their attempts, after they ended. */
  readonly webhookDeliveries: number;
  /** Dispatched events. */
  readonly events: number;
  /** Sessions and one-time links after they expired, account mails after they were sent. */
  readonly accounts: number;
  /** Automation runs, after they ended. */
  readonly automationLogs: number;
  /** Reports of imports, after they ended. */
  readonly imports: number;
  /** Notifications, read or unread. */
  readonly notifications: number;
  /** PDFs of a quote that a newer one has replaced. */
  readonly supersededPdfs: number;
  /** Documents drawn for a signature that was never completed, and attachments without a reference. */
  readonly orphanPdfs: number;
}
