import { type TProperties, Type } from 'typebox';

/** Never less than a day: the policies of the database allow no less. */
const days = (fallback: number, description: string) =>
  Type.Integer({ default: fallback, minimum: 1, maximum: 36_500, description: `days after which ${description}` });

/** How long things are kept. What is older is cleared away once a day. */
export const retentionSettings = {
  RETENTION_WEBHOOK_BODY_DAYS: days(30, 'what was sent to a webhook, and its answer, are emptied'),
  RETENTION_WEBHOOK_DAYS: days(90, 'a delivery to a webhook that has ended is deleted'),
  RETENTION_EVENT_DAYS: days(30, 'an event that was dispatched is deleted'),
  RETENTION_ACCOUNT_DAYS: days(30, 'expired sessions and one-time links, and mails about accounts, are deleted'),
  RETENTION_AUTOMATION_DAYS: days(365, 'a run of an automation that has ended is deleted'),
  RETENTION_NOTIFICATION_DAYS: days(180, 'a notification is deleted, read or not'),
  RETENTION_SUPERSEDED_PDF_DAYS: days(30, 'the PDF of a quote that a newer one has replaced is deleted'),
  RETENTION_ORPHAN_PDF_DAYS: days(1, 'a document drawn for a signature that was not given is deleted'),
} satisfies TProperties;

export const RETENTION = [
  'RETENTION_WEBHOOK_BODY_DAYS',
  'RETENTION_WEBHOOK_DAYS',
  'RETENTION_EVENT_DAYS',
  'RETENTION_ACCOUNT_DAYS',
  'RETENTION_AUTOMATION_DAYS',
  'RETENTION_NOTIFICATION_DAYS',
  'RETENTION_SUPERSEDED_PDF_DAYS',
  'RETENTION_ORPHAN_PDF_DAYS',
] as const satisfies readonly (keyof typeof retentionSettings)[];
