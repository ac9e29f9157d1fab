import {
  defineSearchAttributeKey,
  type SearchAttributePair,
  SearchAttributeType,
  TypedSearchAttributes,
} from '@temporalio/common';
import type { EventType } from '../domain/event-types.ts';
import { quoteLabel } from '../domain/quote-drawing.ts';
import type { QuoteStatus } from '../domain/quote-status.ts';

/** What API, dispatcher, activities and workflows must agree on: names, ids and inputs. No behaviour. */

/**
 * Task queues. All workflow tasks share one: they never block. Activities that may be slow have queues of their own, named
 * by the proxies in `policies.ts`, so that none of them takes the slots of another.
 */
export const queues = {
  /** Workflow tasks of all types, the short activities that read and write PostgreSQL or send the mail of a quote, and deliveries. */
  workflows: 'workflows',
  /** Rendering: limited by CPU. */
  documents: 'documents',
  /** Calls of fire_webhook to endpoints of users, which may hang. */
  webhooks: 'webhooks',
  /** Activities of automations and reminders. */
  automations: 'automations',
} as const;

export const signals = { quoteEvents: 'quoteEvents', reschedule: 'reschedule' } as const;
export const updates = { share: 'share' } as const;
export const queries = { currentState: 'currentState', upcomingTimers: 'upcomingTimers' } as const;

/** Search attributes: ids and states only, for they are plain text in Temporal's store. */
export const attributes = {
  tenantId: defineSearchAttributeKey('TenantId', SearchAttributeType.KEYWORD),
  quoteId: defineSearchAttributeKey('QuoteId', SearchAttributeType.KEYWORD),
  quoteNumber: defineSearchAttributeKey('QuoteNumber', SearchAttributeType.INT),
  quoteStatus: defineSearchAttributeKey('QuoteStatus', SearchAttributeType.KEYWORD),
  automationId: defineSearchAttributeKey('AutomationId', SearchAttributeType.KEYWORD),
  webhookId: defineSearchAttributeKey('WebhookId', SearchAttributeType.KEYWORD),
  eventType: defineSearchAttributeKey('EventType', SearchAttributeType.KEYWORD),
  dueAt: defineSearchAttributeKey('DueAt', SearchAttributeType.DATETIME),
} as const;

/** Ids of a quote, tenant first. Activities read the rest. */
export interface QuoteRef {
  readonly tenantId: string;
  readonly quoteId: string;
}

/** An outbox event as the lifecycle hears of it. */
export interface QuoteEvent {
  readonly id: string;
  readonly type: EventType;
}

/** Something that a run waits for, in words, and when it comes. ISO 8601, UTC. */
export interface UpcomingTimer {
  readonly name: string;
  readonly at: string;
}

/** What the lifecycle remembers of the record. It never decides by it; the record decides. */
export interface LifecycleState {
  readonly quoteNumber: number;
  readonly status: QuoteStatus;
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  /** The last share, ISO 8601; follow-ups count from it. Absent in histories from before there were any. */
  readonly sharedAt?: string;
  /** The moments before the end that are still ahead; `expiryReminder` waits for them. */
  readonly upcoming?: readonly UpcomingTimer[];
}

export interface LifecycleInput {
  readonly quote: QuoteRef;
  /** Part of the ids of the quote's executions. */
  readonly tenantSlug: string;
  /** Carried over continue-as-new: what `expiryReminder` was last told of. */
  readonly told?: string;
  /** Carried over continue-as-new: ids of the latest events, so that none is taken twice. */
  readonly seen?: readonly string[];
}

export interface QuoteEventsInput {
  readonly events: readonly QuoteEvent[];
}

export interface ShareInput {
  readonly quote: QuoteRef;
  /** A CUID: update id, part of the Message-ID, id of the quote.sent event and of the row with recipients and message. */
  readonly shareId: string;
  /** Who pressed share, for the audit log. */
  readonly by: { readonly kind: 'user' | 'key'; readonly userId: string };
  readonly requestId: string | null;
}

/** How a share ended. Expected endings are results, not failures. */
export type ShareResult =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'mail_failed' }
  | { readonly outcome: 'unavailable' }
  | { readonly outcome: 'refused'; readonly reason: 'quote_not_found' | 'client_has_no_email' | 'client_changed' };

/** Type of the failure with which an update is rejected while a share with another content is in progress. */
export const SHARE_IN_PROGRESS = 'ShareInProgress';

/** Ids of a mail about an account, an answer or a message, tenant first. */
export interface MailRef {
  readonly tenantId: string;
  readonly mailId: string;
}

/** How such a mail ended. `skipped`: it had ended before. */
export type MailResult =
  | { readonly outcome: 'sent' | 'skipped' }
  | {
      readonly outcome: 'given_up';
      readonly reason: 'refused' | 'unavailable' | 'maybe_sent' | 'link_over' | 'recipient_gone';
    };

/** Ids of a delivery, tenant first. */
export interface DeliveryRef {
  readonly tenantId: string;
  readonly deliveryId: string;
}

/** How a delivery ended; `closed`: it had ended before. */
export interface DeliveryResult {
  readonly outcome: 'delivered' | 'exhausted' | 'skipped' | 'cancelled' | 'closed';
}

/** Ids of an automation's run, tenant first. */
export interface AutomationRunRef {
  readonly tenantId: string;
  readonly logId: string;
}

/** Ids of an import, tenant first. */
export interface ImportRef {
  readonly tenantId: string;
  readonly importId: string;
}

/** How an import ended; the row has the report. `closed`: it had ended before. */
export interface ImportResult {
  readonly outcome: 'completed' | 'failed' | 'closed';
}

/** Ids of a reminder, tenant first. */
export interface ReminderRef {
  readonly tenantId: string;
  readonly reminderId: string;
}

export interface ExpiryInput {
  readonly quote: QuoteRef;
}

/** How the run of an automation ended; `closed`: it had ended before, or was deleted. */
export interface AutomationRunResult {
  readonly outcome: 'completed' | 'failed' | 'skipped' | 'closed';
}

/** How a reminder ended; `closed`: it had ended before. */
export interface ReminderResult {
  readonly outcome: 'fired' | 'cancelled' | 'closed';
}

/** How an expiry reminder ended: nothing is left to wait for, or the quote is not SENT or has expired. */
export interface ExpiryResult {
  readonly outcome: 'done' | 'over';
}

/** A delivery as far as starting it needs it. */
export interface DeliveryStart extends DeliveryRef {
  readonly webhookId: string;
  readonly event: string;
  readonly eventId: string;
  /** 0, then 1, 2, … for each deliberate repetition. */
  readonly replay: number;
  /** Null for events of clients and products. */
  readonly quoteId: string | null;
  readonly quoteNumber: number | null;
}

/** An automation's run as far as starting it needs it. */
export interface AutomationRunStart extends AutomationRunRef {
  readonly automationId: string;
  /** Null once the event was purged: a delay may be longer than events are kept. */
  readonly event: string | null;
  readonly eventId: string;
  readonly quoteId: string;
  readonly quoteNumber: number;
}

/** A reminder as far as starting it needs it. */
export interface RemindStart extends ReminderRef {
  readonly quoteId: string;
  readonly quoteNumber: number;
  /** The one that made it, unless it is gone. */
  readonly automationId: string | null;
  /** ISO 8601. */
  readonly dueAt: string;
}

/** A quote as far as starting its lifecycle needs it. */
export interface QuoteStart extends QuoteRef {
  readonly tenantSlug: string;
  readonly quoteNumber: number;
  readonly status: QuoteStatus;
}

export const workflowIds = {
  quote: ({ tenantSlug, quoteNumber }: Pick<QuoteStart, 'tenantSlug' | 'quoteNumber'>): string =>
    `quote.${tenantSlug}.${quoteLabel(quoteNumber)}`,
  mail: ({ mailId }: MailRef): string => `mail.${mailId}`,
  import: ({ importId }: ImportRef): string => `import.${importId}`,
  delivery: ({ webhookId, eventId, replay }: Pick<DeliveryStart, 'webhookId' | 'eventId' | 'replay'>): string =>
    `hook.${webhookId}.${eventId}${replay === 0 ? '' : `.r${replay}`}`,
  automation: ({ automationId, eventId }: Pick<AutomationRunStart, 'automationId' | 'eventId'>): string =>
    `auto.${automationId}.${eventId}`,
  expiry: ({ tenantSlug, quoteNumber }: Pick<QuoteStart, 'tenantSlug' | 'quoteNumber'>): string =>
    `expiry.${tenantSlug}.${quoteLabel(quoteNumber)}`,
  reschedule: ({ eventId }: { readonly eventId: string }): string => `resched.${eventId}`,
  remind: ({ reminderId }: ReminderRef): string => `remind.${reminderId}`,
} as const;

const searchAttributesOf = ({ tenantId, quoteId, quoteNumber, status }: QuoteStart): SearchAttributePair[] => [
  { key: attributes.tenantId, value: tenantId },
  { key: attributes.quoteId, value: quoteId },
  { key: attributes.quoteNumber, value: quoteNumber },
  { key: attributes.quoteStatus, value: status },
];

/** How a quote's lifecycle is started, by the dispatcher with its events, or by the API with a share, whichever is first. */
export const lifecycleStart = (quote: QuoteStart, requestId: string | null) => ({
  workflowId: workflowIds.quote(quote),
  taskQueue: queues.workflows,
  args: [{ quote: { tenantId: quote.tenantId, quoteId: quote.quoteId }, tenantSlug: quote.tenantSlug }] as [
    LifecycleInput,
  ],
  // A share waits nine seconds, so a task lost with its worker must time out sooner than the default of ten.
  workflowTaskTimeout: '5s' as const,
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
  // A late event or a re-sent final quote starts it again; it looks at the record and completes.
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
  staticSummary: `Cotización ${quoteLabel(quote.quoteNumber)}`,
  typedSearchAttributes: new TypedSearchAttributes(searchAttributesOf(quote)),
  memo: { requestId: requestId ?? '' },
  // One busy tenant does not hold up the others, where the server has fairness on.
  priority: { fairnessKey: quote.tenantId },
});

/** Once for each id: a second start finds the first, even when that is over. */
export const once = {
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
  workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
};

/** How the sending of a mail is started. */
export const mailStart = (mail: MailRef, requestId: string | null) => ({
  ...once,
  workflowId: workflowIds.mail(mail),
  taskQueue: queues.workflows,
  args: [mail] as [MailRef],
  staticSummary: 'Correo',
  typedSearchAttributes: new TypedSearchAttributes([{ key: attributes.tenantId, value: mail.tenantId }]),
  memo: { requestId: requestId ?? '' },
  priority: { fairnessKey: mail.tenantId },
});

/** How an import is started. */
export const importStart = (ref: ImportRef, requestId: string | null) => ({
  ...once,
  workflowId: workflowIds.import(ref),
  taskQueue: queues.workflows,
  args: [ref] as [ImportRef],
  staticSummary: 'Importación',
  typedSearchAttributes: new TypedSearchAttributes([{ key: attributes.tenantId, value: ref.tenantId }]),
  memo: { requestId: requestId ?? '' },
  priority: { fairnessKey: ref.tenantId },
});

/** How the run of an automation is started. */
export const automationStart = (run: AutomationRunStart, requestId: string | null = null) => ({
  ...once,
  workflowId: workflowIds.automation(run),
  taskQueue: queues.workflows,
  args: [{ tenantId: run.tenantId, logId: run.logId }] as [AutomationRunRef],
  staticSummary: ['Automatización', run.event, quoteLabel(run.quoteNumber)].filter(Boolean).join(' · '),
  typedSearchAttributes: new TypedSearchAttributes([
    { key: attributes.tenantId, value: run.tenantId },
    { key: attributes.automationId, value: run.automationId },
    ...(run.event === null ? [] : [{ key: attributes.eventType, value: run.event }]),
    { key: attributes.quoteId, value: run.quoteId },
    { key: attributes.quoteNumber, value: run.quoteNumber },
  ]),
  memo: { requestId: requestId ?? '' },
  priority: { fairnessKey: run.tenantId },
});

/** How a reminder is started; a workflow starts it as a child, with the same options but the conflict policy. */
export const remindStart = ({ automationId, ...reminder }: RemindStart) => ({
  ...once,
  workflowId: workflowIds.remind(reminder),
  taskQueue: queues.workflows,
  args: [{ tenantId: reminder.tenantId, reminderId: reminder.reminderId }] as [ReminderRef],
  staticSummary: `Recordatorio · ${quoteLabel(reminder.quoteNumber)}`,
  typedSearchAttributes: new TypedSearchAttributes([
    { key: attributes.tenantId, value: reminder.tenantId },
    { key: attributes.quoteId, value: reminder.quoteId },
    { key: attributes.quoteNumber, value: reminder.quoteNumber },
    { key: attributes.dueAt, value: new Date(reminder.dueAt) },
    ...(automationId === null ? [] : [{ key: attributes.automationId, value: automationId }]),
  ]),
  priority: { fairnessKey: reminder.tenantId },
});

/**
 * How the reminder of a quote's expiry is started: by the quote's lifecycle as a child, or by the reconciler in its stead.
 * It is started again for a new version or expiry after it ended.
 */
export const expiryStart = (quote: QuoteRef, run: { readonly workflowId: string; readonly quoteNumber: number }) => ({
  workflowId: run.workflowId,
  taskQueue: queues.workflows,
  args: [{ quote }] as [ExpiryInput],
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
  staticSummary: `Vencimiento · ${quoteLabel(run.quoteNumber)}`,
  typedSearchAttributes: new TypedSearchAttributes([
    { key: attributes.tenantId, value: quote.tenantId },
    { key: attributes.quoteId, value: quote.quoteId },
    { key: attributes.quoteNumber, value: run.quoteNumber },
  ]),
  priority: { fairnessKey: quote.tenantId },
});
