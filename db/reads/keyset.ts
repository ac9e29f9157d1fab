import type { Knex } from 'knex';
import { type Model, type QueryBuilder, raw } from 'objection';

/** Paging by position: a page begins after the record with these values of the columns that order the list. */

/** SQL for the microseconds since 1970 of a time, as text. A Date would lose the last three digits. For raw(...). */
export const MICROSECONDS = '(extract(epoch from ??) * 1000000)::bigint::text';

/** SQL for the time of such a text. For raw(...). */
export const AT_MICROSECONDS = `timestamptz 'epoch' + ?::bigint * interval '1 microsecond'`;

/** The values of the columns by which a list is ordered, of one record. Times are in microseconds since 1970. */
export type Position = readonly string[];

/** An order of a list: columns that together are unique and never null, all in one direction. */
export interface ListOrder {
  readonly columns: readonly OrderColumn[];
  readonly direction: 'asc' | 'desc';
}

export interface OrderColumn {
  readonly name: string;
  readonly kind: 'id' | 'number' | 'amount' | 'time';
}

/** The order for orderBy(...). `table` is the table's name. */
export const orderBy = ({ columns, direction }: ListOrder, table: string) =>
  columns.map(({ name }) => ({ column: `${table}.${name}`, order: direction }));

/**
 * SQL for "comes after that position", for whereRaw(...). A comparison of rows, which the index of the order serves as one
 * range; under row-level security an amount is only filtered, since comparing numeric values is not leakproof.
 */
export function isAfter(
  { columns, direction }: ListOrder,
  table: string,
  position: Position,
): [string, Knex.RawBinding[]] {
  const names = columns.map(() => '??').join(', ');
  const values = columns.map(({ kind }) => PLACEHOLDER[kind]).join(', ');
  return [
    `(${names}) ${direction === 'asc' ? '>' : '<'} (${values})`,
    [...columns.map(({ name }) => `${table}.${name}`), ...position],
  ];
}

/** Newest first, and by id where times are equal. */
export const NEWEST: ListOrder = {
  columns: [
    { name: 'createdAt', kind: 'time' },
    { name: 'id', kind: 'id' },
  ],
  direction: 'desc',
};

const PLACEHOLDER = { id: '?::text', number: '?::integer', amount: '?::numeric', time: AT_MICROSECONDS } as const;

/** A page to read: by its number, or after a position. */
export interface PageQuery {
  readonly page: number;
  readonly limit: number;
  readonly after?: Position | undefined;
}

/**
 * Reads a page of records that are ordered by a time and their id. One record more than asked for shows whether the list
 * goes on; a page after a position is not counted.
 */
export async function readPage<M extends Model & { readonly id: string }>(
  matching: QueryBuilder<M>,
  order: ListOrder,
  { page, limit, after }: PageQuery,
  { isCounted = true }: { readonly isCounted?: boolean } = {},
): Promise<{ rows: readonly M[]; total: number | undefined; last: Position | null }> {
  const table = matching.modelClass().tableName;
  const [time] = order.columns;
  const found = await matching
    .clone()
    .select(`${table}.*`, raw(MICROSECONDS, `${table}.${time?.name}`).as('sortTime'))
    .modify(
      (query) => void (after ? query.whereRaw(...isAfter(order, table, after)) : query.offset((page - 1) * limit)),
    )
    .orderBy(orderBy(order, table))
    .limit(limit + 1);
  // The select above adds `sortTime`.
  const rows = found.slice(0, limit) as (M & { readonly sortTime: string })[];
  const last = rows.at(-1);
  return {
    rows,
    total: after || !isCounted ? undefined : await matching.resultSize(),
    last: found.length > limit && last ? [last.sortTime, last.id] : null,
  };
}
