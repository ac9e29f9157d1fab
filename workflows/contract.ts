import {
  defineSearchAttributeKey,
  type SearchAttributePair,
  SearchAttributeType,
  TypedSearchAttributes,
} from '@temporalio/common';
import type { EventType } from '../domain/events.ts';
import { quoteLabel } from '../domain/quote-drawing.ts';
import type { QuoteStatus } from '../domain/quote-status.ts';

/** What API, relay, activities and workflows must agree on: names, ids and inputs. No behaviour. */

export const queues = {
  /** Lifecycles and their short steps. */
  quotes: 'quotes',
  /** Rendering: CPU, one at a time, so that it holds up nothing else. */
  documents: 'documents',
} as const;

export const signals = { quoteEvents: 'quoteEvents' } as const;
export const updates = { share: 'share' } as const;
export const queries = { currentState: 'currentState' } as const;

/** Search attributes: ids and states only, for they are plain text in Temporal's store. */
export const attributes = {
  tenantId: defineSearchAttributeKey('TenantId', SearchAttributeType.KEYWORD),
  quoteId: defineSearchAttributeKey('QuoteId', SearchAttributeType.KEYWORD),
  quoteNumber: defineSearchAttributeKey('QuoteNumber', SearchAttributeType.INT),
  quoteStatus: defineSearchAttributeKey('QuoteStatus', SearchAttributeType.KEYWORD),
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

/** What the lifecycle remembers of the record. It never decides by it; the record decides. */
export interface LifecycleState {
  readonly quoteNumber: number;
  readonly status: QuoteStatus;
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
}

export interface LifecycleInput {
  readonly quote: QuoteRef;
  /** Carried over continue-as-new: ids of the latest events, so that none is taken twice. */
  readonly seen?: readonly string[];
}

export interface QuoteEventsInput {
  readonly events: readonly QuoteEvent[];
}

export interface ShareInput {
  readonly quote: QuoteRef;
  /** A CUID for this attempt: update id, part of the Message-ID, id of the quote.sent event. */
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
  | { readonly outcome: 'refused'; readonly reason: 'quote_not_found' | 'client_has_no_email' };

/** Ids of a mail about an account, tenant first. */
export interface MailRef {
  readonly tenantId: string;
  readonly mailId: string;
}

/** How such a mail ended. `skipped`: it had ended before. */
export type MailResult =
  | { readonly outcome: 'sent' | 'skipped' }
  | { readonly outcome: 'given_up'; readonly reason: 'refused' | 'unavailable' | 'link_over' };

/** A quote as far as starting its lifecycle needs it. */
export interface QuoteStart extends QuoteRef {
  readonly tenantSlug: string;
  readonly quoteNumber: number;
  readonly status: QuoteStatus;
}

export const workflowIds = {
  quote: ({ tenantSlug, quoteNumber }: QuoteStart): string => `quote.${tenantSlug}.${quoteLabel(quoteNumber)}`,
  mail: ({ mailId }: MailRef): string => `mail.${mailId}`,
} as const;

const searchAttributesOf = ({ tenantId, quoteId, quoteNumber, status }: QuoteStart): SearchAttributePair[] => [
  { key: attributes.tenantId, value: tenantId },
  { key: attributes.quoteId, value: quoteId },
  { key: attributes.quoteNumber, value: quoteNumber },
  { key: attributes.quoteStatus, value: status },
];

/** How a quote's lifecycle is started, by whoever comes first: the relay with its events, or the API with a share. */
export const lifecycleStart = (quote: QuoteStart, requestId: string | null) => ({
  workflowId: workflowIds.quote(quote),
  taskQueue: queues.quotes,
  args: [{ quote: { tenantId: quote.tenantId, quoteId: quote.quoteId } }] as [LifecycleInput],
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
  // A late event or a re-sent final quote starts it again; it looks at the record and completes.
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
  staticSummary: `Cotización ${quoteLabel(quote.quoteNumber)}`,
  typedSearchAttributes: new TypedSearchAttributes(searchAttributesOf(quote)),
  memo: { requestId: requestId ?? '' },
  // One busy tenant does not hold up the others, where the server has fairness on.
  priority: { fairnessKey: quote.tenantId },
});

/** How the sending of a mail is started. Once for each mail: a second start finds the first, even when that is over. */
export const mailStart = (mail: MailRef, requestId: string | null) => ({
  workflowId: workflowIds.mail(mail),
  taskQueue: queues.quotes,
  args: [mail] as [MailRef],
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
  workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
  staticSummary: 'Correo de una cuenta',
  typedSearchAttributes: new TypedSearchAttributes([{ key: attributes.tenantId, value: mail.tenantId }]),
  memo: { requestId: requestId ?? '' },
  priority: { fairnessKey: mail.tenantId },
});
