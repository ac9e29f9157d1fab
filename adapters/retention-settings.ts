import { type TProperties, Type } from 'typebox';

/** At least a day: the database's row policies allow no less. */
const days = (fallback: number, description: string) =>
  Type.Integer({ default: fallback, minimum: 1, maximum: 36_500, description: `days after which ${description}` });

/** Retention. Older data is deleted once a day. */
export const retentionSettings = {
  RETENTION_WEBHOOK_BODY_DAYS: days(30, 'the request and response bodies of an ended webhook delivery are deleted'),
  RETENTION_WEBHOOK_DAYS: days(90, 'an ended webhook delivery is deleted'),
  RETENTION_EVENT_DAYS: days(30, 'a dispatched event is deleted'),
  RETENTION_ACCOUNT_DAYS: days(30, 'expired sessions and one-time links, and sent account mails, are deleted'),
  RETENTION_AUTOMATION_DAYS: days(365, 'an ended automation run is deleted'),
  RETENTION_IMPORT_DAYS: days(90, 'the report of an ended import is deleted'),
  RETENTION_NOTIFICATION_DAYS: days(180, 'a notification is deleted, read or unread'),
  RETENTION_SUPERSEDED_PDF_DAYS: days(30, 'a PDF that a newer one of the quote has replaced is deleted'),
  RETENTION_ORPHAN_PDF_DAYS: days(
    1,
    'a document of a signature never completed, or an attachment that no quote refers to, is deleted',
  ),
} satisfies TProperties;
