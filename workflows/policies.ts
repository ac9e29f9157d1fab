import {
  type ActivityOptions,
  type LocalActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { AccountMailActivities } from '../activities/account-mail.ts';
import type { AutomationMailActivities } from '../activities/automation-mail.ts';
import type { AutomationRecordActivities } from '../activities/automation-records.ts';
import type { AutomationRunActivities } from '../activities/automation-runs.ts';
import type { AutomationWebhookActivities } from '../activities/automation-webhook.ts';
import type { DeliverActivities } from '../activities/webhooks/deliver.ts';
import type { DocumentActivities } from '../activities/documents.ts';
import type { ExpiryActivities } from '../activities/expiry.ts';
import type { FollowUpActivities } from '../activities/follow-ups.ts';
import type { HousekeepingActivities } from '../activities/housekeeping/chores.ts';
import type { ImportActivities } from '../activities/imports.ts';
import type { MailActivities } from '../activities/mail.ts';
import type { RecordActivities } from '../activities/records.ts';
import type { ReminderActivities } from '../activities/reminders.ts';
import type { RescheduleActivities } from '../activities/reschedule.ts';
import { queues } from './contract.ts';

/**
 * Retry policies by name, each with its reason; options are never given inline. Failures that no retry cures are thrown
 * non-retryable (`failures.ts`), so no policy lists them.
 */

// A killed worker is noticed after so long without a heartbeat (worker/heartbeat-interceptor.ts), and another gets the
// activity; a thread that is busy for a while still sends its heartbeats in time.
const heartbeatTimeout = '5s';

// PostgreSQL may be unavailable for minutes; the activity is short and idempotent, so it is retried until it succeeds.
const shortDbStep = {
  startToCloseTimeout: '10s',
  heartbeatTimeout,
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
} satisfies ActivityOptions;
export const recordActivities = proxyActivities<RecordActivities>(shortDbStep);
export const expiryActivities = proxyActivities<Omit<ExpiryActivities, 'sendExpiryMail'>>(shortDbStep);
export const followUpActivities = proxyActivities<Omit<FollowUpActivities, 'sendFollowUpMail'>>(shortDbStep);
export const mailRecordActivities = proxyActivities<Pick<AccountMailActivities, 'closeMail'>>(shortDbStep);

export const importRecord = proxyActivities<Pick<ImportActivities, 'giveUpImport'>>(shortDbStep);

// All rows of an import in one transaction of some seconds. An attempt that was lost with its worker was rolled back, and is
// repeated from the first row. After an hour the import is given up, so that a business can start another.
const wholeImport = {
  startToCloseTimeout: '5m',
  scheduleToCloseTimeout: '1h',
  heartbeatTimeout,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
} satisfies ActivityOptions;
export const imports = proxyActivities<Pick<ImportActivities, 'importAllRows'>>(wholeImport);

// On the queue of automations, so that a burst of them leaves the slots of shares and lifecycles free.
const shortAutomationStep = { ...shortDbStep, taskQueue: queues.automations } satisfies ActivityOptions;
export const automationRunActivities = proxyActivities<AutomationRunActivities>(shortAutomationStep);
export const reminderActivities = proxyActivities<ReminderActivities>(shortAutomationStep);

// A read between two events of the lifecycle: no task queue, no timeline entry.
const localRead = {
  startToCloseTimeout: '5s',
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
} satisfies LocalActivityOptions;
export const localRecordActivities = proxyLocalActivities<Pick<RecordActivities, 'readLifecycleState'>>(localRead);

// A page of signals to Temporal: it sends none after 20 s, and waits 5 s for the last. No caller waits, so a worker that is
// busy with another page, and an overloaded Temporal, are retried ever more rarely.
const pageOfSignals = {
  startToCloseTimeout: '40s',
  heartbeatTimeout,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
} satisfies ActivityOptions;
export const reschedulingActivities = proxyActivities<RescheduleActivities>(pageOfSignals);

// Rendering and storing while a caller waits 9 s. The activity gives up by itself 4 s after it was first scheduled; there
// is no scheduleToClose, so that an attempt lost with its worker continues when a worker is back.
const callerWaitsForDocument = {
  taskQueue: queues.documents,
  startToCloseTimeout: '6s',
  retry: { initialInterval: '300ms', maximumInterval: '1s' },
} satisfies ActivityOptions;
export const documentActivities = proxyActivities<DocumentActivities>(callerWaitsForDocument);

// The mail server while a caller waits 9 s. The activity gives up by itself (SmtpUnavailable) 5 s after it was first
// scheduled; an attempt lost with its worker must continue when a worker is back, so there is no scheduleToClose either. The
// heartbeats carry what is known of this attempt to the next (activities/mail-step.ts): their timeout ends nothing sooner.
const callerWaitsForMail = {
  startToCloseTimeout: '4s',
  heartbeatTimeout: '4s',
  retry: { initialInterval: '500ms', maximumInterval: '2s' },
} satisfies ActivityOptions;
export const mailActivities = proxyActivities<MailActivities>(callerWaitsForMail);

// A mail that no caller waits for. The activity gives up by itself (SmtpUnavailable) a day after it was first scheduled, so
// a worker that comes back later than that still tries once.
const patientMail = {
  startToCloseTimeout: '15s',
  heartbeatTimeout,
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1h' },
} satisfies ActivityOptions;
export const accountMailActivities = proxyActivities<Pick<AccountMailActivities, 'sendAccountMail'>>(patientMail);
export const expiryMailActivities = proxyActivities<Pick<ExpiryActivities, 'sendExpiryMail'>>(patientMail);
export const followUpMailActivities = proxyActivities<Pick<FollowUpActivities, 'sendFollowUpMail'>>(patientMail);

// A call to a user's endpoint. Each failure says when the next attempt is due, for as long as the schedule lasts; the
// second here is for an attempt that was lost with its worker. The call has 10 s, and PostgreSQL is asked twice. It is on the
// queue of the workflows, where Temporal gives it to the worker with the response to its workflow task: on another queue a
// delivery costs a tenth more CPU. Permits keep calls that hang from taking all slots (activities/permits.ts).
const userEndpoint = {
  startToCloseTimeout: '25s',
  heartbeatTimeout,
  retry: { initialInterval: '1s', backoffCoefficient: 1 },
} satisfies ActivityOptions;
export const deliveryActivities = proxyActivities<DeliverActivities>(userEndpoint);

// Of an automation: a failure that may pass is retried five times within about eleven minutes (after 2, 8, 32, 128 and
// 512 s), then the run has failed. The first pause is short, since it also follows an attempt that was lost with its worker.
const automationAction = {
  taskQueue: queues.automations,
  startToCloseTimeout: '10s',
  heartbeatTimeout,
  retry: {
    initialInterval: '2s',
    backoffCoefficient: 4,
    // Or it would be a hundred times the first pause.
    maximumInterval: '10m',
    maximumAttempts: 6,
  },
} satisfies ActivityOptions;
export const actionActivities = proxyActivities<AutomationRecordActivities>(automationAction);

// Of an automation, with a permit of its tenant. A try without a permit is no attempt, but Temporal counts every try: so
// there is no limit here. The pauses follow a try that was lost with its worker or did not reach PostgreSQL.
const permittedAction = {
  heartbeatTimeout,
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '30s' },
} satisfies Partial<ActivityOptions>;

// One mail of 3 s at most for each owner. The activity counts its attempts itself and says when the next one is, as above.
export const actionMailActivities = proxyActivities<AutomationMailActivities>({
  ...permittedAction,
  taskQueue: queues.automations,
  startToCloseTimeout: '2m',
});

// One call of 5 s, and PostgreSQL is asked twice. An attempt that finds the call claimed makes none: fire_webhook calls
// once however often the activity is retried. On the queue for endpoints of users, which may hang.
export const actionWebhookActivities = proxyActivities<AutomationWebhookActivities>({
  ...permittedAction,
  taskQueue: queues.webhooks,
  startToCloseTimeout: '15s',
});

// Some seconds of a chore, over and over. A part that fails is retried for about a quarter of an hour; then the next chore
// runs, and this one again at its next schedule.
const partOfChore = {
  startToCloseTimeout: '60s',
  retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '5m', maximumAttempts: 9 },
} satisfies ActivityOptions;
export const choreActivities = proxyActivities<HousekeepingActivities>(partOfChore);
