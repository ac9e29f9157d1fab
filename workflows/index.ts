// One of the two barrels that Temporal needs: every workflow that the worker may be asked to run.
export { deliverWebhook } from './deliver-webhook.ts';
export { expiryReminder } from './expiry-reminder.ts';
export { housekeeping } from './housekeeping.ts';
export { importRecords } from './import-records.ts';
export { quoteLifecycle } from './quote-lifecycle.ts';
export { remind } from './remind.ts';
export { rescheduleReminders } from './reschedule-reminders.ts';
export { runAutomation } from './run-automation.ts';
export { sendMail } from './send-mail.ts';
