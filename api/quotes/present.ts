import type { Client } from '../../db/models/client.ts';
import type { Product } from '../../db/models/product.ts';
import type { FullQuote } from '../../db/reads/full-quote.ts';
import type { LabelOfQuote } from '../../db/reads/quote-labels.ts';
import type { ListedQuote } from './queries.ts';
import { type Deposit, depositAmount } from '../../domain/deposit.ts';
import { answerInList, answerOf } from '../../domain/answer.ts';
import { displayNumber } from '../../domain/quote-number.ts';
import { addedToItem } from '../../domain/events.ts';
import { type AppliedTax, appliedTaxes, splitCodes, taxesOfQuote } from '../../domain/taxes.ts';
import { storedFields } from './document-fields.ts';
import { type DecimalInput, decimalNumber, decimalString, moneyString } from '../../domain/money.ts';
import { hasLapsed } from '../../domain/portal.ts';
import type { Caller } from '../../domain/caller.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';
import { dayOf, type TimeZone } from '../../domain/zone.ts';
import type { QuoteAttachment } from '../../db/models/quote-attachment.ts';
import type { Quote } from '../../db/models/quote.ts';
import type { QuoteItem } from '../../db/models/quote-item.ts';
import { attachmentBody, attachmentOfVersion } from '../attachments/present.ts';
import type { Deps } from '../deps.ts';
import type { ResponseBody } from '../schema.ts';
import type { CreatedQuote, QuoteBody, QuoteSummary, QuoteWithNumericAmounts } from './schema.ts';

type Amount<T> = (value: DecimalInput, currency?: string) => T;

// Money is a decimal string in lists and single reads, and a number in responses of POST (docs/guides/money.md#numbers-and-strings).
const asText: Amount<string> = (value, currency) => (currency ? moneyString(value, currency) : decimalString(value));
const asNumber: Amount<number> = (value) => decimalNumber(value);

interface CommonColumns {
  id: string;
  quoteNumber: number;
  displayNumber: string | null;
  title: string | null;
  reference: string | null;
  discount: string;
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

const quoteMembers = <T>(quote: CommonColumns, amount: Amount<T>, { now, timeZone }: PresentContext) => ({
  id: quote.id,
  quoteNumber: quote.quoteNumber,
  displayNumber: displayNumber(quote),
  title: quote.title,
  reference: quote.reference,
  status: quote.status,
  version: quote.version,
  currency: quote.currency,
  subtotal: amount(quote.subtotal, quote.currency),
  discount: amount(quote.discount, quote.currency),
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
  | 'id'
  | 'productId'
  | 'productName'
  | 'model'
  | 'description'
  | 'section'
  | 'unit'
  | 'unitPrice'
  | 'quantity'
  | 'discountPct'
  | 'subtotal'
  | 'taxes'
  | 'optional'
  | 'choice'
  | 'counts'
> & { readonly product?: Pick<Product, 'id' | 'name' | 'modelSku'> | null | undefined };

/** A quote that was read, or that was just inserted. */
export interface QuoteToPresent extends CommonColumns, DetailColumns, AnswerMembers {
  readonly items: readonly PresentedLine[];
  readonly attachments?: readonly QuoteAttachment[];
  readonly client: ClientColumns;
}

/** Columns that single reads and answers of POST show, but not lists. */
type DetailColumns = Pick<
  Quote,
  'taxRate' | 'taxes' | 'shippingTaxes' | 'discountPct' | 'terms' | 'internalNotes' | 'deposit' | 'metadata'
>;
type AnswerMembers = Pick<Quote, 'answeredAt' | 'signerName' | 'signerEmail' | 'rejectionReason'>;

const taxBody = <T>({ code, name, kind, rate, base, amount }: AppliedTax, currency: string, show: Amount<T>) => ({
  code,
  name,
  kind,
  rate: show(rate),
  base: show(base, currency),
  amount: show(amount, currency),
});

const depositBody = <T>(deposit: Deposit, quote: Pick<CommonColumns, 'total' | 'currency'>, amount: Amount<T>) => ({
  type: deposit.type,
  value: deposit.type === 'percent' ? amount(deposit.value) : amount(deposit.value, quote.currency),
  note: deposit.note,
  amount: amount(depositAmount(deposit, quote), quote.currency),
});

type ShownColumns = Pick<CommonColumns, 'subtotal' | 'tax' | 'total' | 'currency' | 'title' | 'reference'> &
  DetailColumns;

const shownDetails = <T>(quote: ShownColumns, amount: Amount<T>) => {
  const { deposit } = storedFields(quote);
  return {
    discountPct: amount(quote.discountPct),
    taxes: appliedTaxes(taxesOfQuote(quote)).map((tax) => taxBody(tax, quote.currency, amount)),
    shippingTaxes: splitCodes(quote.shippingTaxes),
    terms: quote.terms,
    deposit: deposit && depositBody(deposit, quote, amount),
  };
};

/** What a client may see of a quote besides the members of lists, in strings. */
export const clientDetails = (quote: ShownColumns) => shownDetails(quote, asText);

const details = <T>(quote: CommonColumns & DetailColumns, amount: Amount<T>) => ({
  taxRate: amount(quote.taxRate),
  ...shownDetails(quote, amount),
  internalNotes: quote.internalNotes,
  metadata: storedFields(quote).metadata,
});

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
  ...addedToItem(item),
});

// Answers are put together by Object.assign: for a literal that begins with a spread, V8 (Node 20) makes an object without
// fixed members, which costs 6 µs for each row of a list.

/** An entry of a list. */
export const quoteSummary = (
  row: ListedQuote,
  labels: readonly LabelOfQuote[],
  context: PresentContext,
): ResponseBody<typeof QuoteSummary> =>
  Object.assign(quoteMembers(row, asText, context), {
    client: {
      id: row.clientId,
      contactName: row.contactName,
      companyName: row.companyName,
      email: row.email,
      phone: row.phone,
    },
    user: { name: row.userName },
    labels: labels.map(labelOfQuote),
    answer: answerInList(row),
    _count: { items: row.itemCount },
    ...(row.changedAt && { updatedAt: row.changedAt.toISOString() }),
  });

/** The response of single reads and PATCH. */
export const quoteBody = (
  quote: FullQuote,
  labels: readonly LabelOfQuote[],
  context: PresentContext,
): ResponseBody<typeof QuoteBody> =>
  Object.assign(quoteMembers(quote, asText, context), details(quote, asText), {
    answer: answerOf(quote),
    items: quote.items.map((item) => itemBody(item, quote.currency, asText)),
    attachments: quote.attachments.map(attachmentBody),
    client: clientOfQuote(quote.client),
    user: { name: quote.user.name, email: quote.user.email },
    labels: labels.map(labelOfQuote),
  });

const labelOfQuote = ({ id, name, color }: LabelOfQuote) => ({ id, name, color });

/** The response of a POST that changed a quote. */
export const quoteWithNumericAmounts = (
  quote: QuoteToPresent,
  context: PresentContext,
): ResponseBody<typeof QuoteWithNumericAmounts> =>
  Object.assign(quoteMembers(quote, asNumber, context), details(quote, asNumber), {
    answer: answerOf(quote),
    items: quote.items.map((item) => itemBody(item, quote.currency, asNumber)),
    attachments: (quote.attachments ?? []).map(attachmentBody),
    client: clientOfQuote(quote.client),
  });

/** The response of a POST that created a quote, with its public token. */
export const createdQuote = (
  quote: QuoteToPresent,
  publicToken: string,
  context: PresentContext,
): ResponseBody<typeof CreatedQuote> => Object.assign(quoteWithNumericAmounts(quote, context), { publicToken });

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
    ...addedToItem(item),
  })),
  notes: quote.notes,
  subtotal: asText(quote.subtotal, quote.currency),
  tax: asText(quote.tax, quote.currency),
  shippingCost: asText(quote.shippingCost, quote.currency),
  total: asText(quote.total, quote.currency),
  ...details(quote, asText),
  discount: asText(quote.discount, quote.currency),
  title: quote.title,
  reference: quote.reference,
  currency: quote.currency,
  expiresAt: quote.expiresAt.toISOString(),
  attachments: quote.attachments.map(attachmentOfVersion),
});
