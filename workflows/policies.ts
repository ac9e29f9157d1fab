import { type ActivityOptions, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { AccountMailActivities } from '../activities/account-mail.ts';
import type { DocumentActivities } from '../activities/documents.ts';
import type { MailActivities } from '../activities/mail.ts';
import type { RecordActivities } from '../activities/records.ts';
import { queues } from './contract.ts';

/** Retry policies by name, each with its reason. Options are never given inline. */

/** Types of failure that no retry cures. Activities throw them non-retryable, workflows turn them into results. */
export const failures = {
  smtpRefused: 'SmtpRefused',
  smtpMaybeSent: 'SmtpMaybeSent',
  smtpUnavailable: 'SmtpUnavailable',
  documentUnavailable: 'DocumentUnavailable',
  quoteGone: 'QuoteGone',
  clientHasNoEmail: 'ClientHasNoEmail',
} as const;

const nonRetryableErrorTypes = Object.values(failures);

// PostgreSQL may be away for minutes; the step is short and idempotent, so it is tried until it is back.
const shortStep: ActivityOptions = {
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '10s', nonRetryableErrorTypes },
};
export const records = proxyActivities<RecordActivities>(shortStep);
export const mailRecords = proxyActivities<Pick<AccountMailActivities, 'closeMail'>>(shortStep);

// A read between two events of the lifecycle: no task queue, no timeline entry.
export const localRecords = proxyLocalActivities<Pick<RecordActivities, 'readLifecycleState'>>({
  startToCloseTimeout: '5s',
  retry: { initialInterval: '500ms', maximumInterval: '10s', nonRetryableErrorTypes },
});

// Rendering and storing. The activity gives up by itself 4 s after it was first scheduled, because a caller waits 9;
// there is no scheduleToClose, so that an attempt lost with its worker goes on when a worker is back.
export const documents = proxyActivities<DocumentActivities>({
  taskQueue: queues.documents,
  startToCloseTimeout: '6s',
  retry: { initialInterval: '300ms', maximumInterval: '1s', nonRetryableErrorTypes },
});

// The mail server. The activity itself gives up (SmtpUnavailable) 5 s after it was first scheduled, since the caller
// waits 9; an attempt lost with its worker must go on when a worker is back, so there is no scheduleToClose either.
export const mail = proxyActivities<MailActivities>({
  startToCloseTimeout: '4s',
  retry: { initialInterval: '500ms', maximumInterval: '2s', nonRetryableErrorTypes },
});

// A mail that nobody waits for. The activity itself gives up (SmtpUnavailable) a day after it was first scheduled, so a
// worker that comes back later than that still tries once.
export const accountMail = proxyActivities<Pick<AccountMailActivities, 'sendAccountMail'>>({
  startToCloseTimeout: '15s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1h', nonRetryableErrorTypes },
});
