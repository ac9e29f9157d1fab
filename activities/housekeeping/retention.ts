import type { WorkerConfig } from '../../adapters/config.ts';
import type { retentionSettings } from '../../adapters/retention-settings.ts';
import type { Retention } from '../../domain/housekeeping.ts';

export type RetentionConfig = Pick<WorkerConfig, keyof typeof retentionSettings>;

export const retentionOf = (config: RetentionConfig): Retention => ({
  webhookBodies: config.RETENTION_WEBHOOK_BODY_DAYS,
  webhookDeliveries: config.RETENTION_WEBHOOK_DAYS,
  events: config.RETENTION_EVENT_DAYS,
  accounts: config.RETENTION_ACCOUNT_DAYS,
  automationLogs: config.RETENTION_AUTOMATION_DAYS,
  imports: config.RETENTION_IMPORT_DAYS,
  notifications: config.RETENTION_NOTIFICATION_DAYS,
  supersededPdfs: config.RETENTION_SUPERSEDED_PDF_DAYS,
  orphanPdfs: config.RETENTION_ORPHAN_PDF_DAYS,
});
