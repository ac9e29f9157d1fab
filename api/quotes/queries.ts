import type { Knex } from 'knex';
import { isId } from '../../db/ids.ts';
import { Quote } from '../../db/models/quote.ts';
import { asFullQuote, type FullQuote } from '../../db/reads/full-quote.ts';
import { isAfter, type ListOrder, MICROSECONDS, orderBy, type Position } from '../../db/reads/keyset.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { quoteNotFound } from '../../domain/errors.ts';
import { isIn, readableChanges } from '../updated-since.ts';
import { type Matching, matchingQuotes, type QuoteFilter } from './filters.ts';
import type { ListQuotes, QuoteOrder } from './list-schema.ts';
import { orderNamed, orderOf, positionIn } from './order.ts';

/** Finds a visible quote with lines, client and creator. Missing, foreign and hidden quotes get the same 404. */
export async function findVisibleQuote(trx: TenantTransaction, caller: Caller, quoteId: string): Promise<FullQuote> {
  const quote = await Quote.query(trx)
    .modify('visibleTo', caller)
    .findOne('quotes.id', quoteId)
    .withGraphFetched('[items.product, attachments, client, user]');
  if (!quote) throw quoteNotFound();
  return asFullQuote(quote);
}

/** Finds a visible quote without its lines, of which there may be many, and its other relations. Throws the same 404. */
export async function findVisibleRow(trx: TenantTransaction, caller: Caller, quoteId: string): Promise<Quote> {
  const quote = await Quote.query(trx).modify('visibleTo', caller).findOne('quotes.id', quoteId);
  if (!quote) throw quoteNotFound();
  return quote;
}

/** Like `findVisibleQuote`, with a lock until the transaction ends, for changing or copying the quote. */
export async function lockVisibleQuote(trx: TenantTransaction, caller: Caller, quoteId: string): Promise<FullQuote> {
  const row =
    isId(quoteId) && (await Quote.query(trx).modify('visibleTo', caller).findOne({ id: quoteId }).forUpdate());
  if (!row) throw quoteNotFound();
  return findVisibleQuote(trx, caller, quoteId);
}

/** A row of the list: columns of the quote and of joined tables. */
export interface ListedQuote {
  readonly id: string;
  readonly quoteNumber: number;
  readonly displayNumber: string | null;
  readonly title: string | null;
  readonly reference: string | null;
  readonly status: Quote['status'];
  readonly version: number;
  readonly currency: string;
  readonly subtotal: string;
  readonly discount: string;
  readonly tax: string;
  readonly shippingCost: string;
  readonly total: string;
  readonly notes: string;
  readonly expiresAt: Date;
  readonly viewCount: number;
  readonly createdAt: Date;
  readonly answeredAt: Date | null;
  readonly signerName: string | null;
  readonly signerEmail: string | null;
  readonly clientId: string;
  readonly contactName: string;
  readonly companyName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly userName: string;
  readonly itemCount: number;
  /** The time by which the list is ordered, in microseconds since 1970. */
  readonly sortTime?: string | null;
  /** Only in the order of changes. */
  readonly changedAt?: Date;
}

/** One page of quotes. The total is absent after a position, and in the order of changes. */
export interface QuotePage<Q extends ListedQuote = ListedQuote> {
  readonly quotes: readonly Q[];
  readonly total?: number | undefined;
  /** The position of the last quote; null if no quote follows. */
  readonly last: Position | null;
}

export type QuoteQuery = ListQuotes & { readonly after?: Position | undefined; readonly now?: Date };

/** One page of the visible quotes. With `updatedSince` not in a snapshot (see `changesCompleteUntil`). */
export async function listQuotes(trx: TenantTransaction, caller: Caller, query: QuoteQuery): Promise<QuotePage> {
  const { updatedSince, page, limit, after } = query;
  const order = orderOf(query);
  const changes = updatedSince === undefined ? undefined : await readableChanges(trx, updatedSince, caller.timeZone);
  const matching = await matchingQuotes(trx, caller, query);
  if (changes) void matching.page.whereRaw(...isIn(changes, 'quotes.changedAt'));
  if (after) void matching.page.whereRaw(...isAfter(order, 'quotes', after));
  if (changes || after) return pageAfter(await rowsOf(trx, matching, { order, limit: limit + 1 }), { order, limit });

  const wanted = { order, limit, offset: (page - 1) * limit };
  const upTo = (quotes: readonly ListedQuote[], total: number): QuotePage => {
    const last = quotes.at(-1);
    return { quotes, total, last: last && wanted.offset + quotes.length < total ? positionIn(order, last) : null };
  };
  if (matching.named) {
    const [first, ...rest] = await rowsOf(trx, matching, { ...wanted, isCounted: true });
    if (first) return upTo([first, ...rest], Number(first.all));
  }
  const total = await countOf(trx, caller, matching);
  return upTo(wanted.offset < total ? await rowsOf(trx, matching, wanted) : [], total);
}

/** A page of at most `limit` quotes, of which one more was read to see whether the list goes on. */
export function pageAfter<Q extends ListedQuote>(
  found: readonly Q[],
  { order, limit }: { readonly order: ListOrder; readonly limit: number },
): QuotePage<Q> {
  const quotes = found.slice(0, limit);
  const last = quotes.at(-1);
  return { quotes, last: found.length > limit && last ? positionIn(order, last) : null };
}

/** The number of visible quotes that match the filter. */
export const countQuotes = async (trx: TenantTransaction, caller: Caller, filter: QuoteFilter): Promise<number> =>
  countOf(trx, caller, await matchingQuotes(trx, caller, filter));

/** The counter of numbers without the skipped ones: quotes are never deleted, so it counts those of the business. */
async function countOf(trx: TenantTransaction, caller: Caller, { all, isWhole, named }: Matching): Promise<number> {
  if (isWhole) {
    const [counter] = await trx('quoteCounters')
      .where({ tenantId: caller.tenantId })
      .select('lastNumber', 'skippedNumbers');
    return Number(counter?.lastNumber ?? 0) - Number(counter?.skippedNumbers ?? 0);
  }
  const [counted] = await withNamed(all.clone(), named).count<{ count: string }[]>('* as count');
  return Number(counted?.count ?? 0);
}

const withNamed = (query: Knex.QueryBuilder, named: Knex.Raw | undefined): Knex.QueryBuilder =>
  named ? query.withMaterialized('named', named) : query;

/** Not all of the quote: its terms, taxes and metadata may be long. */
const LISTED_COLUMNS = [
  'q.id', 'q.quoteNumber', 'q.displayNumber', 'q.title', 'q.reference', 'q.status', 'q.version', 'q.currency', 'q.subtotal',
  'q.discount', 'q.tax', 'q.shippingCost', 'q.total', 'q.notes', 'q.expiresAt', 'q.viewCount', 'q.createdAt', 'q.clientId',
  'q.answeredAt', 'q.signerName', 'q.signerEmail',
] as const; // prettier-ignore

/**
 * Selects the numbers of the page first and joins the rest to them: under row-level security a plain join does not use
 * the ordered index, and a late page would read whole rows only to skip them.
 */
export const pageOf = (
  trx: TenantTransaction,
  matching: Matching,
  { sort, limit }: { readonly sort: QuoteOrder; readonly limit: number },
): Promise<readonly ListedQuote[]> => rowsOf(trx, matching, { order: orderNamed(sort), limit });

interface PageQuery {
  readonly order: ListOrder;
  readonly limit: number;
  readonly offset?: number;
  /** Whether each row contains the total number. */
  readonly isCounted?: boolean;
}

type CountedQuote = ListedQuote & { readonly all?: string };

async function rowsOf(
  trx: TenantTransaction,
  { page: matching, all, named }: Matching,
  { order, limit, offset = 0, isCounted = false }: PageQuery,
): Promise<readonly CountedQuote[]> {
  const page = matching
    .clone()
    .select('quotes.tenantId', 'quotes.quoteNumber')
    .orderBy(orderBy(order, 'quotes'))
    .limit(limit)
    .offset(offset);
  const rows = withNamed(trx.from(page.as('p')), named)
    .join('quotes as q', (on) => on.on('q.tenantId', 'p.tenantId').andOn('q.quoteNumber', 'p.quoteNumber'))
    .leftJoin('clients as c', (on) => on.on('c.tenantId', 'q.tenantId').andOn('c.id', 'q.clientId'))
    .leftJoin('users as u', (on) => on.on('u.tenantId', 'q.tenantId').andOn('u.id', 'q.userId'))
    .select(...LISTED_COLUMNS, 'u.name as userName', 'c.contactName', 'c.companyName', 'c.email', 'c.phone')
    .select(
      trx.raw('(select count(*)::int from quote_items i where i.tenant_id = q.tenant_id and i.quote_id = q.id) as ??', [
        'itemCount',
      ]),
    )
    .orderBy(orderBy(order, 'q'));
  const [time] = order.columns;
  if (time?.kind === 'time') void rows.select(trx.raw(`${MICROSECONDS} as ??`, [`q.${time.name}`, 'sortTime']));
  if (time?.name === 'changedAt') void rows.select('q.changedAt');
  if (isCounted) void rows.select(all.clone().count('*').as('all'));
  // The select above lists these columns.
  return (await rows) as CountedQuote[];
}
