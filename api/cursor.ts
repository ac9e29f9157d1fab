import { createHash } from 'node:crypto';
import { isId } from '../db/ids.ts';
import type { ListOrder, OrderColumn, Position } from '../db/reads/keyset.ts';
import { invalidInput } from '../domain/errors.ts';
import { paged } from './schema.ts';

/**
 * Cursors: the position of a list's last record, from which the next page goes on. Readers treat them as opaque. They are
 * neither sealed nor signed: they contain only values of the record that the caller has just read, and a forged position
 * shows nothing that the same list without a cursor would not, because tenant, visibility and filters come from the request.
 * The checksum is for mistakes: a cursor that was cut, or is of another list, business, filter or order, is refused.
 */

/** What a cursor belongs to. */
export interface CursorScope {
  /** The list's path, with the ids in it. */
  readonly list: string;
  readonly tenantId: string;
  /** The valid query; the checksum leaves out page and limit. */
  readonly query: {
    readonly cursor?: string;
    readonly updatedSince?: string;
    readonly page: number;
    readonly limit: number;
  };
}

/** A change of what positions contain needs another number. */
const VERSION = 1;

/** Of PostgreSQL's type integer. */
const MAX_INTEGER = 2_147_483_647;

/** The values that a position may have: PostgreSQL must be able to compare with each of them. */
const VALID: Readonly<Record<OrderColumn['kind'], (text: string) => boolean>> = {
  id: isId,
  number: (text) => /^\d{1,10}$/.test(text) && Number(text) <= MAX_INTEGER,
  amount: (text) => /^\d{1,15}\.\d{3}$/.test(text),
  time: (text) => /^\d{1,16}$/.test(text),
};

/** The cursor after a record. */
export function cursorAfter(scope: CursorScope, position: Position): string {
  return Buffer.from([checksum(scope, position), ...position].join(' ')).toString('base64url');
}

/**
 * Where the page begins: after the query's cursor, or undefined for a page by its number. Throws a 400 for a cursor that is
 * not of this list, filters and order, and for a page number where changes may have moved records. `sentence` replaces the
 * message.
 */
export function startOf(scope: CursorScope, { columns }: ListOrder, sentence?: string): Position | undefined {
  const { cursor, updatedSince, page } = scope.query;
  if (page > 1 && (cursor ?? updatedSince) !== undefined)
    throw invalidInput([{ path: 'page', message: 'no se combina con cursor ni con updatedSince' }], sentence);
  if (cursor === undefined) return undefined;
  const [sum, ...position] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const isValid =
    position.length === columns.length &&
    columns.every(({ kind }, index) => VALID[kind](position[index] ?? '')) &&
    sum === checksum(scope, position) &&
    // Base64 has several spellings of the same bytes.
    cursorAfter(scope, position) === cursor;
  if (!isValid) throw invalidInput([{ path: 'cursor', message: NOT_OF_THIS_LIST }], sentence);
  return position;
}

const NOT_OF_THIS_LIST = 'no es de esta lista con estos filtros y este orden; empiece de nuevo sin él';

const POSITION: ReadonlySet<string> = new Set(['cursor', 'page', 'limit']);

function checksum({ list, tenantId, query }: CursorScope, position: Position): string {
  const filters = Object.entries(query).filter(([name, value]) => value !== undefined && !POSITION.has(name));
  const text = JSON.stringify([VERSION, list, tenantId, sorted(filters), position]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Independent of the order in which parameters were sent. */
const sorted = (members: readonly (readonly [string, unknown])[]): unknown =>
  members
    .map(([name, value]) => [name, typeof value === 'object' && value !== null ? sorted(Object.entries(value)) : value])
    .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));

/** A page that was read. */
export interface ReadPage {
  /** Absent after a cursor, where nothing is counted. */
  readonly total?: number | undefined;
  /** The position of its last record; null if no record follows. */
  readonly last: Position | null;
}

/** The body of a page, by number or after a cursor. */
export function pageBody<T>(scope: CursorScope, data: readonly T[], { total, last }: ReadPage) {
  const nextCursor = last && cursorAfter(scope, last);
  return total === undefined ? { data, nextCursor } : { ...paged(data, { ...scope.query, total }), nextCursor };
}
