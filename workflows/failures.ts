/**
 * Types of activity failures that workflows tell apart. Activities throw them as `permanent` failures (non-retryable), so no
 * retry policy lists them. This file imports nothing at run time, so that workflows and activities can both load it.
 */
export const failures = {
  smtpRefused: 'SmtpRefused',
  smtpMaybeSent: 'SmtpMaybeSent',
  smtpUnavailable: 'SmtpUnavailable',
  documentUnavailable: 'DocumentUnavailable',
  quoteGone: 'QuoteGone',
  clientHasNoEmail: 'ClientHasNoEmail',
  clientChanged: 'ClientChanged',
  runGone: 'RunGone',
  actionInvalid: 'ActionInvalid',
  actionSkipped: 'ActionSkipped',
  attemptsUsed: 'AttemptsUsed',
  noRecipient: 'NoRecipient',
  moveRefused: 'MoveRefused',
  labelGone: 'LabelGone',
  webhookFailed: 'WebhookFailed',
} as const;

export type FailureType = (typeof failures)[keyof typeof failures];

/** Failures that are retried, and that a workflow sees when the attempts are used up. */
export const retriedFailures = {
  /** Name of the error class in `adapters/mail/failures.ts`. */
  mailUnavailable: 'MailUnavailable',
  mailQuotaReached: 'MailQuotaReached',
} as const;
