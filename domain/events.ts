import { type DecimalString, decimalNumber } from './money.ts';
import type { QuoteStatus } from './quote-status.ts';

/** The outbox's event types, and who receives each. */
export const EVENT_TYPES = [
  'quote.created',
  'quote.status_changed',
  'quote.sent',
  'quote.viewed',
  'quote.expiring',
  'quote.revised',
  'client.created',
  'product.created',
  'tenant.settings_changed',
  // Internal: its id is the id of a mail to be sent.
  'mail.requested',
  // Internal: its id is the id of an import to be run.
  'import.requested',
  // Internal: delayed executions may still call it.
  'webhook.deleted',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The events that a webhook can subscribe to. */
export const SUBSCRIBABLE_EVENTS = [
  'quote.created',
  'quote.status_changed',
  'quote.sent',
  'client.created',
  'product.created',
] as const satisfies readonly EventType[];
export type SubscribableEvent = (typeof SUBSCRIBABLE_EVENTS)[number];

/** The source of an event's quote part, as the database returns it. */
export interface QuoteFacts {
  readonly id: string;
  readonly quoteNumber: number;
  readonly status: QuoteStatus;
  readonly total: DecimalString;
  readonly subtotal: DecimalString;
  readonly currency: string;
  readonly notes: string;
  readonly client: {
    readonly id: string;
    readonly contactName: string;
    readonly companyName: string | null;
    readonly email: string | null;
  };
  readonly items: readonly {
    readonly productName: string;
    readonly model: string | null;
    readonly unitPrice: DecimalString;
    readonly quantity: number;
    readonly discountPct: DecimalString;
  }[];
}

/** The quote as webhooks and automations see it: the body of fire_webhook, with amounts as numbers. */
export const quotePayload = (quote: QuoteFacts) => ({
  id: quote.id,
  quoteNumber: quote.quoteNumber,
  status: quote.status,
  total: decimalNumber(quote.total),
  subtotal: decimalNumber(quote.subtotal),
  currency: quote.currency,
  notes: quote.notes,
  client: {
    id: quote.client.id,
    contactName: quote.client.contactName,
    companyName: quote.client.companyName,
    email: quote.client.email,
  },
  items: quote.items.map((item) => ({
    productName: item.productName,
    model: item.model,
    unitPrice: decimalNumber(item.unitPrice),
    quantity: item.quantity,
    discountPct: decimalNumber(item.discountPct),
  })),
});

/** The body that is sent for an event: exactly {event, timestamp, data}, fixed when the event happened. */
export const eventBody = (event: string, at: Date, data: object): string =>
  JSON.stringify({ event, timestamp: at.toISOString(), data });
