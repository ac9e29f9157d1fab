import type { Client } from '../../db/models/client.ts';
import type { Product } from '../../db/models/product.ts';
import type { FullQuote } from '../../db/reads/quote-facts.ts';
import type { LabelOfQuote } from '../../db/reads/quote-labels.ts';
import type { QuoteListRow } from './queries.ts';
import { type DecimalInput, decimalNumber, decimalString, moneyString } from '../../domain/money.ts';
import { hasLapsed } from '../../domain/portal.ts';
import type { Caller } from '../../domain/caller.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';
import { dayOf, type TimeZone } from '../../domain/zone.ts';
import type { QuoteAttachment } from '../../db/models/quote-attachment.ts';
import type { QuoteItem } from '../../db/models/quote-item.ts';
import { attachmentBody, attachmentOfVersion } from '../attachments/present.ts';
import type { Deps } from '../deps.ts';

type Amount<T> = (value: DecimalInput, currency?: string) => T;

// Money is a decimal string in lists and single reads, and a number in responses of POST (docs/api-guide.md).
const asText: Amount<string> = (value, currency) => (currency ? moneyString(value, currency) : decimalString(value));
const asNumber: Amount<number> = (value) => decimalNumber(value);

interface QuoteColumns {
  id: string;
  quoteNumber: number;
  status: QuoteStatus;
  version: number;
  currency: string;
  notes: string;
  expiresAt: Date;
  viewCount: number;
  createdAt: Date;
  subtotal: string;
  tax: string;
  shippingCost: string;
  total: string;
}

/** The current time and the business's time zone, from which expiry is computed. */
export interface PresentContext {
  readonly now: Date;
  readonly timeZone: TimeZone;
}

export const presentContext = ({ now }: Pick<Deps, 'now'>, { timeZone }: Caller): PresentContext => ({
  now: now(),
  timeZone,
});

const core = <T>(quote: QuoteColumns, amount: Amount<T>, { now, timeZone }: PresentContext) => ({
  id: quote.id,
  quoteNumber: quote.quoteNumber,
  status: quote.status,
  version: quote.version,
  currency: quote.currency,
  subtotal: amount(quote.subtotal, quote.currency),
  tax: amount(quote.tax, quote.currency),
  shippingCost: amount(quote.shippingCost, quote.currency),
  total: amount(quote.total, quote.currency),
  notes: quote.notes,
  expiresAt: quote.expiresAt.toISOString(),
  validUntil: dayOf(quote.expiresAt, timeZone),
  isExpired: hasLapsed(quote, now),
  viewCount: quote.viewCount,
  createdAt: quote.createdAt.toISOString(),
});

const clientOfQuote = ({ id, contactName, companyName, email, phone }: ClientColumns) => ({
  id,
  contactName,
  companyName,
  email,
  phone,
});
type ClientColumns = Pick<Client, 'id' | 'contactName' | 'companyName' | 'email' | 'phone'>;

/** A line with the shown members of its product. */
export type PresentedLine = Pick<
  QuoteItem,
  'id' | 'productId' | 'productName' | 'model' | 'unitPrice' | 'quantity' | 'discountPct' | 'subtotal'
> & { readonly product?: Pick<Product, 'id' | 'name' | 'modelSku'> | null | undefined };

/** A quote that was read, or that was just inserted. */
export interface PresentedQuote extends QuoteColumns {
  readonly taxRate: string;
  readonly items: readonly PresentedLine[];
  readonly attachments?: readonly QuoteAttachment[];
  readonly client: ClientColumns;
}

const itemBody = <T>(item: PresentedLine, currency: string, amount: Amount<T>) => ({
  id: item.id,
  productId: item.productId,
  productName: item.productName,
  model: item.model,
  unitPrice: amount(item.unitPrice),
  quantity: item.quantity,
  discountPct: amount(item.discountPct),
  subtotal: amount(item.subtotal, currency),
  product: item.product ? { id: item.product.id, name: item.product.name, modelSku: item.product.modelSku } : null,
});

/** An entry of a list. */
export const quoteSummary = (row: QuoteListRow, labels: readonly LabelOfQuote[], seen: PresentContext) => ({
  ...core(row, asText, seen),
  client: clientOfQuote(row.client),
  user: { name: row.userName },
  labels: labels.map(labelOfQuote),
  _count: { items: row.itemCount },
});

/** The response of single reads and PATCH. */
export const quoteBody = (quote: FullQuote, labels: readonly LabelOfQuote[], seen: PresentContext) => ({
  ...core(quote, asText, seen),
  taxRate: asText(quote.taxRate),
  items: quote.items.map((item) => itemBody(item, quote.currency, asText)),
  attachments: quote.attachments.map(attachmentBody),
  client: clientOfQuote(quote.client),
  user: { name: quote.user.name, email: quote.user.email },
  labels: labels.map(labelOfQuote),
});

const labelOfQuote = ({ id, name, color }: LabelOfQuote) => ({ id, name, color });

/** The response of a POST that changed a quote. */
export const quoteInNumbers = (quote: PresentedQuote, seen: PresentContext) => ({
  ...core(quote, asNumber, seen),
  taxRate: asNumber(quote.taxRate),
  items: quote.items.map((item) => itemBody(item, quote.currency, asNumber)),
  attachments: (quote.attachments ?? []).map(attachmentBody),
  client: clientOfQuote(quote.client),
});

/** The response of a POST that created a quote, with its public token. */
export const createdQuote = (quote: PresentedQuote, publicToken: string, seen: PresentContext) => ({
  ...quoteInNumbers(quote, seen),
  publicToken,
});

/** The snapshot of a quote that is stored as a version. */
export const versionSnapshot = (quote: FullQuote) => ({
  clientId: quote.clientId,
  items: quote.items.map((item) => ({
    productId: item.productId,
    productName: item.productName,
    model: item.model,
    unitPrice: asText(item.unitPrice),
    quantity: item.quantity,
    discountPct: asText(item.discountPct),
    subtotal: asText(item.subtotal, quote.currency),
  })),
  notes: quote.notes,
  subtotal: asText(quote.subtotal, quote.currency),
  tax: asText(quote.tax, quote.currency),
  shippingCost: asText(quote.shippingCost, quote.currency),
  total: asText(quote.total, quote.currency),
  taxRate: asText(quote.taxRate),
  currency: quote.currency,
  expiresAt: quote.expiresAt.toISOString(),
  attachments: quote.attachments.map(attachmentOfVersion),
});
