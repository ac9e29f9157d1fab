import type { QuoteStatus } from '../../domain/quote-status.ts';
import type { AppliedTax } from '../../domain/taxes.ts';

/** A quote as the API gives it, as far as pages show it. Amounts are decimal strings. */

export interface QuoteLine {
  readonly productName: string;
  readonly model: string | null;
  readonly unitPrice: string;
  readonly quantity: number;
  readonly discountPct: string;
  readonly subtotal: string;
  /** Absent in versions that an earlier release stored, as all members below. */
  readonly description?: string | null;
  readonly section?: string | null;
  readonly unit?: string | null;
  readonly optional?: boolean;
  readonly choice?: string | null;
  readonly counts?: boolean;
}

/** What a client is offered; a version has it, too. */
export interface QuoteContent {
  readonly currency: string;
  readonly items: readonly QuoteLine[];
  readonly subtotal: string;
  readonly shippingCost: string;
  readonly total: string;
  readonly tax: string;
  readonly taxRate: string;
  readonly notes: string;
  readonly expiresAt: string;
  readonly discount?: string;
  readonly discountPct?: string;
  readonly taxes?: readonly AppliedTax[];
  readonly terms?: string | null;
  readonly deposit?: {
    readonly type: 'percent' | 'amount';
    readonly value: string;
    readonly note: string | null;
    readonly amount: string;
  } | null;
  readonly title?: string | null;
  readonly reference?: string | null;
  readonly internalNotes?: string | null;
}

export interface QuoteDetail extends QuoteContent {
  readonly id: string;
  readonly displayNumber: string;
  readonly status: QuoteStatus;
  readonly version: number;
  readonly isExpired: boolean;
  readonly validUntil: string;
  readonly viewCount: number;
  readonly createdAt: string;
  readonly title: string | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly answer: {
    readonly outcome: 'ACCEPTED' | 'REJECTED';
    readonly at: string;
    readonly version: number;
    readonly signerName: string | null;
    readonly signerEmail: string | null;
    readonly reason: string | null;
  } | null;
  readonly client: {
    readonly id: string;
    readonly contactName: string;
    readonly companyName: string | null;
    readonly email: string | null;
    readonly phone: string | null;
  };
  readonly user: { readonly name: string; readonly email: string };
  readonly labels: readonly Label[];
  readonly attachments: readonly Attachment[];
}

export interface Label {
  readonly id: string;
  readonly name: string;
  readonly color: string;
}

export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

export interface Message {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly author: { readonly name: string | null; readonly email: string | null };
  readonly body: string;
  readonly version: number;
  readonly createdAt: string;
  readonly mailStatus: 'PENDING' | 'SENT' | 'FAILED' | null;
}

export interface Change {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly by: { readonly kind: 'user' | 'client' | 'service'; readonly name: string | null };
  readonly to: QuoteStatus | null;
  readonly version: number | null;
  readonly expiresAt: string | null;
  readonly name: string | null;
}
