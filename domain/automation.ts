import type { Locale } from './locale.ts';
import type { DecimalString } from './money.ts';
import type { QuoteStatus } from './quote-status.ts';
import type { TimeZone } from './zone.ts';

/** The events that start an automation. */
export const TRIGGERS = [
  'QUOTE_CREATED',
  'QUOTE_SENT',
  'QUOTE_VIEWED',
  'QUOTE_ACCEPTED',
  'QUOTE_REJECTED',
  'QUOTE_WON',
  'QUOTE_LOST',
  'QUOTE_EXPIRING',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

export const AUTOMATION_LOG_STATUSES = ['TRIGGERED', 'COMPLETED', 'FAILED'] as const;
export type AutomationLogStatus = (typeof AUTOMATION_LOG_STATUSES)[number];

/** A year in minutes: the longest delay of an automation action or a reminder. */
export const MAX_DELAY_MINUTES = 525_600;

export const EMAIL_RECIPIENTS = ['client', 'owner', 'custom'] as const;

/** The actions of an automation, as callers send them. */
export type AutomationAction =
  | {
      readonly type: 'send_email';
      readonly to: (typeof EMAIL_RECIPIENTS)[number];
      readonly customEmail?: string | null;
      readonly subject: string;
      readonly body: string;
    }
  | { readonly type: 'send_notification'; readonly title: string; readonly body: string }
  | { readonly type: 'change_status'; readonly newStatus: QuoteStatus }
  | { readonly type: 'add_label'; readonly labelId: string }
  | { readonly type: 'create_reminder'; readonly delayMinutes: number; readonly message: string }
  | {
      readonly type: 'fire_webhook';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly includeItems: boolean;
    };

/** What conditions and text variables can read: a quote as it is now. */
export interface AutomationFacts {
  readonly quote: {
    readonly quoteNumber: number;
    readonly displayNumber: string;
    readonly status: QuoteStatus;
    readonly subtotal: DecimalString;
    readonly tax: DecimalString;
    readonly shippingCost: DecimalString;
    readonly total: DecimalString;
    readonly currency: string;
    readonly notes: string;
    /** ISO 8601. */
    readonly expiresAt: string;
    readonly viewCount: number;
    /** The client's page. */
    readonly url: string;
  };
  readonly client: {
    readonly contactName: string;
    readonly companyName: string | null;
    readonly email: string | null;
    readonly phone: string | null;
  };
  readonly items: readonly {
    readonly productName: string;
    readonly model: string | null;
    readonly unitPrice: DecimalString;
    readonly quantity: number;
    readonly discountPct: DecimalString;
  }[];
  readonly business: {
    readonly companyName: string;
    readonly email: string | null;
    readonly phone: string | null;
    readonly timeZone: TimeZone;
    readonly locale: Locale;
  };
  /** The member who created the quote. */
  readonly user: { readonly name: string };
}
