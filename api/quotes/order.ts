import type { ListOrder, OrderColumn, Position } from '../../db/reads/keyset.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { ListQuotes, QuoteOrder } from './list-schema.ts';
import type { ListedQuote } from './queries.ts';

const NUMBER: OrderColumn = { name: 'quoteNumber', kind: 'number' };

/** The columns of each order, with the number as the tie-breaker. None is ever null. */
const COLUMNS: Readonly<Record<string, readonly OrderColumn[]>> = {
  quoteNumber: [NUMBER],
  createdAt: [{ name: 'createdAt', kind: 'time' }, NUMBER],
  expiresAt: [{ name: 'expiresAt', kind: 'time' }, NUMBER],
  total: [{ name: 'total', kind: 'amount' }, NUMBER],
} satisfies Record<Exclude<QuoteOrder, `-${string}`>, readonly OrderColumn[]>;

export const orderNamed = (sort: QuoteOrder): ListOrder => ({
  columns: COLUMNS[sort.replace('-', '')] ?? [NUMBER],
  direction: sort.startsWith('-') ? 'desc' : 'asc',
});

/** The order of changes. */
const CHANGES: ListOrder = {
  columns: [
    { name: 'changedAt', kind: 'time' },
    { name: 'id', kind: 'id' },
  ],
  direction: 'asc',
};

const DEFAULT_SORT = '-quoteNumber';

/** The order of a list; throws a 400 for `sort` with `updatedSince`, which has an order of its own. */
export function orderOf({ sort, updatedSince }: Pick<ListQuotes, 'sort' | 'updatedSince'>): ListOrder {
  if (updatedSince === undefined) return orderNamed(sort);
  if (sort !== DEFAULT_SORT) throw invalidInput([{ path: 'sort', message: 'no se combina con updatedSince' }]);
  return CHANGES;
}

/** The position of a listed quote, with which `rowsOf` selected the time of the order as `sortTime`. */
export const positionIn = ({ columns }: ListOrder, quote: ListedQuote): Position =>
  columns.map(({ name, kind }) => {
    if (kind === 'time') return quote.sortTime ?? '';
    if (kind === 'amount') return quote.total;
    return name === 'id' ? quote.id : String(quote.quoteNumber);
  });
