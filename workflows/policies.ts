import { type ActivityOptions, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { AccountMailActivities } from '../activities/account-mail.ts';
import type { AutomationMailActivities } from '../activities/automation-mail.ts';
import type { AutomationRecordActivities } from '../activities/automation-records.ts';
import type { AutomationRunActivities } from '../activities/automation-runs.ts';
import type { AutomationWebhookActivities } from '../activities/automation-webhook.ts';
import type { DeliverActivities } from '../activities/webhooks/deliver.ts';
import type { DocumentActivities } from '../activities/documents.ts';
import type { ExpiryActivities } from '../activities/expiry.ts';
import type { HousekeepingActivities } from '../activities/housekeeping/chores.ts';
import type { MailActivities } from '../activities/mail.ts';
import type { RecordActivities } from '../activities/records.ts';
import type { ReminderActivities } from '../activities/reminders.ts';
import type { RescheduleActivities } from '../activities/reschedule.ts';
import { queues } from './contract.ts';

/** Retry policies by name, each with its reason. Options are never given inline. */

// A worker that was killed is missed after so long without a sign of life (activities/signs-of-life.ts), and the step is
// given to another; a thread that is busy for a while is not missed yet.
const heartbeatTimeout = '5s';

// PostgreSQL may be down for minutes; the activity is short and idempotent, so it is retried until it succeeds.
const shortStep: ActivityOptions = {
  startToCloseTimeout: '10s',
  heartbeatTimeout,
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
};
// On the queue of automations, so that a burst of them leaves the slots of shares and lifecycles free.
const shortAutomationStep: ActivityOptions = { ...shortStep, taskQueue: queues.automations };
export const records = proxyActivities<RecordActivities>(shortStep);
export const runs = proxyActivities<AutomationRunActivities>(shortAutomationStep);
export const reminders = proxyActivities<ReminderActivities>(shortAutomationStep);
export const expiry = proxyActivities<Omit<ExpiryActivities, 'sendExpiryMail'>>(shortStep);
export const mailRecords = proxyActivities<Pick<AccountMailActivities, 'closeMail'>>(shortStep);

// A page of signals to Temporal; it sends none after 20 s, and waits 5 s for the last. No caller waits, so a worker that runs another
// page, or an overloaded Temporal, gets increasing backoff.
export const rescheduling = proxyActivities<RescheduleActivities>({
  startToCloseTimeout: '40s',
  heartbeatTimeout,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

// A read between two events of the lifecycle: no task queue, no timeline entry.
export const localRecords = proxyLocalActivities<Pick<RecordActivities, 'readLifecycleState'>>({
  startToCloseTimeout: '5s',
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
});

// Rendering and storing. The activity gives up by itself 4 s after it was first scheduled, because a caller waits 9;
// there is no scheduleToClose, so that an attempt lost with its worker goes on when a worker is back.
export const documents = proxyActivities<DocumentActivities>({
  taskQueue: queues.documents,
  startToCloseTimeout: '6s',
  retry: { initialInterval: '300ms', maximumInterval: '1s' },
});

// The mail server. The activity itself gives up (SmtpUnavailable) 5 s after it was first scheduled, since the caller
// waits 9; an attempt lost with its worker must go on when a worker is back, so there is no scheduleToClose either. The
// heartbeats carry to the next attempt what is known of this one (activities/mail-step.ts): their timeout ends nothing sooner.
export const mail = proxyActivities<MailActivities>({
  startToCloseTimeout: '4s',
  heartbeatTimeout: '4s',
  retry: { initialInterval: '500ms', maximumInterval: '2s' },
});

// A mail that nobody waits for. The activity itself gives up (SmtpUnavailable) a day after it was first scheduled, so a
// worker that comes back later than that still tries once.
export const accountMail = proxyActivities<Pick<AccountMailActivities, 'sendAccountMail'>>({
  startToCloseTimeout: '15s',
  heartbeatTimeout,
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1h' },
});

// A call to a user's endpoint. Its failures say themselves when to try again, for as long as the schedule lasts; the
// second here is for an attempt that was lost with its worker. The call has 10 s, and PostgreSQL is asked twice.
export const endpoint = proxyActivities<DeliverActivities>({
  taskQueue: queues.webhooks,
  startToCloseTimeout: '25s',
  heartbeatTimeout,
  retry: { initialInterval: '1s', backoffCoefficient: 1 },
});

// Of an automation: what failed for no lasting reason is tried five times more within about eleven minutes (after 2, 8,
// 32, 128 and 512 s), then the automation run has failed. The first pause is short, since it is also the one
// after an attempt that was lost with its worker.
const actionPolicy: ActivityOptions = {
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
};
export const actions = proxyActivities<AutomationRecordActivities>(actionPolicy);

// Of an automation, with a permit of its tenant. A try that finds none is no attempt, and Temporal counts every try: so
// there is no limit here. The pauses are those after a try that was lost with its worker or found PostgreSQL away.
const permittedAction: ActivityOptions = {
  taskQueue: queues.automations,
  heartbeatTimeout,
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '30s' },
};

// One mail of 3 s at most for each owner. The activity counts its attempts itself and says when the next one is, as above.
export const actionMail = proxyActivities<AutomationMailActivities>({
  ...permittedAction,
  startToCloseTimeout: '2m',
});

// One call of 5 s, and PostgreSQL is asked twice. An attempt that finds the call claimed makes none: fire_webhook calls
// once however often the step is tried. On the queue for endpoints of users, which may hang.
export const actionWebhook = proxyActivities<AutomationWebhookActivities>({
  ...permittedAction,
  taskQueue: queues.webhooks,
  startToCloseTimeout: '15s',
});

// As other mails that nobody waits for; the activity gives up (SmtpUnavailable) a day after it was first scheduled.
export const expiryMail = proxyActivities<Pick<ExpiryActivities, 'sendExpiryMail'>>({
  startToCloseTimeout: '15s',
  heartbeatTimeout,
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1h' },
});

// Some seconds of a chore, over and over. A part that fails is tried for about a quarter of an hour; then the next chore
// has its turn, and this one again when its schedule comes round.
export const chores = proxyActivities<HousekeepingActivities>({
  startToCloseTimeout: '60s',
  retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '5m', maximumAttempts: 9 },
});
