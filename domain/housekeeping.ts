/** What is done by itself from time to time, each by its name. The order is the order in which it is done. */

/** Clears away what is kept no longer. */
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
  'stored_pdfs',
  // Clears nothing away: it compares what is left with the storage.
  'stored_files',
] as const;

/** Seals what was written to the audit logs. */
export const SEALING_CHORES = ['audit_seals'] as const;

export type RetentionChore = (typeof RETENTION_CHORES)[number];
export type Chore = RetentionChore | (typeof SEALING_CHORES)[number];

/** Days for which things are kept. */
export interface Retention {
  /** What was sent to webhooks and what they answered, after the delivery ended. */
  readonly webhookBodies: number;
  /** The deliveries and their attempts, after they ended. */
  readonly webhookDeliveries: number;
  /** Events that were dispatched. */
  readonly events: number;
  /** Sessions and one-time links after they expired, mails about accounts after they were sent. */
  readonly accounts: number;
  /** Runs of automations, after they ended. */
  readonly automationLogs: number;
  /** Notifications, read or not. */
  readonly notifications: number;
  /** PDFs of a quote that a newer one has replaced. */
  readonly supersededPdfs: number;
  /** Documents that were drawn for a signature that was not given after all. */
  readonly orphanPdfs: number;
}
