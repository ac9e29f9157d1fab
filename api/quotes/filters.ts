import type { Knex } from 'knex';
import { clientsNamed, findMatchingNames, isSentUnder, numberIn } from '../../db/reads/search.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { invalidInput } from '../../domain/errors.ts';
import { MAX_EXACT_FILTERS } from './list-schema.ts';
import { decimalString } from '../../domain/money.ts';
import { can } from '../../domain/permissions.ts';
import { isFinal, QUOTE_STATUSES, type QuoteStatus } from '../../domain/quote-status.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { dateRangeOf } from '../date-range.ts';

/** Filters of lists, the export and the pipeline. */
export interface QuoteFilter {
  readonly search?: string;
  readonly status?: QuoteStatus;
  readonly clientId?: string;
  readonly userId?: string;
  readonly labelId?: string;
  readonly from?: string;
  readonly to?: string;
  readonly minTotal?: number;
  readonly maxTotal?: number;
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly expired?: boolean;
  /** The time for `expired`; default: now. */
  readonly now?: Date;
}

/** Queries of the visible quotes that match a filter; they can be cloned and refined. */
export interface Matching {
  /** For reading one page in an order. */
  readonly page: Knex.QueryBuilder;
  /** For counting the same rows; uses another query plan if many clients match. */
  readonly all: Knex.QueryBuilder;
  /** Whether all quotes of the business match. */
  readonly isWhole: boolean;
  /** The clients that match a search, as a CTE: both queries need them, and finding them is expensive. */
  readonly named?: Knex.Raw;
}

/** Collaborators get only their own quotes, whatever the filter. */
export async function matchingQuotes(trx: TenantTransaction, caller: Caller, filter: QuoteFilter): Promise<Matching> {
  const { search, labelId, metadata = {}, ...plain } = filter;
  assertFewExact(filter);
  const query = trx('quotes').where('quotes.tenantId', caller.tenantId);
  const seesAll = can(caller.role, 'quotes:read_all');
  if (!seesAll) void query.where('quotes.userId', caller.userId);
  const narrowed = narrow(query, plain, caller.timeZone);
  if (labelId !== undefined) void query.whereIn('quotes.id', quotesLabelled(trx, caller.tenantId, labelId));
  for (const [name, value] of Object.entries(metadata))
    void query.whereIn('quotes.id', quotesWith(trx, { tenantId: caller.tenantId, name, value }));
  const isWhole = seesAll && !narrowed && labelId === undefined && !search && Object.keys(metadata).length === 0;
  if (!search) return { page: query, all: query, isWhole };

  const { clients, formerly } = await findMatchingNames(trx, search);
  const searched = (purpose: 'page' | 'all') =>
    query.clone().where((either) => {
      narrowToSearch(either, search, clients ?? purpose);
      if (formerly) void either.orWhereRaw(...isSentUnder('quotes.id', search));
    });
  const both = { page: searched('page'), all: searched('all'), isWhole };
  return clients ? both : { ...both, named: clientsNamed(trx, search) };
}

/** Adds the filters that are single comparisons; returns whether there were any. */
function narrow(
  query: Knex.QueryBuilder,
  filter: Omit<QuoteFilter, 'search' | 'labelId' | 'metadata'>,
  timeZone: TimeZone,
): boolean {
  const { from, until } = dateRangeOf(filter, timeZone);
  const { status, clientId, userId, minTotal, maxTotal, reference, expired } = filter;
  const comparisons: readonly [column: string, operator: string, value: string | Date | undefined][] = [
    ['status', '=', status],
    ['clientId', '=', clientId],
    ['userId', '=', userId],
    ['reference', '=', reference],
    ['createdAt', '>=', from],
    ['createdAt', '<', until],
    ['total', '>=', minTotal === undefined ? undefined : decimalString(minTotal)],
    ['total', '<=', maxTotal === undefined ? undefined : decimalString(maxTotal)],
  ];
  let narrowed = expired !== undefined;
  if (expired !== undefined) narrowToExpired(query, expired, filter.now ?? new Date());
  for (const [column, operator, value] of comparisons) {
    if (value === undefined) continue;
    void query.where(`quotes.${column}`, operator, value);
    narrowed = true;
  }
  return narrowed;
}

/** Only open quotes expire. */
function narrowToExpired(query: Knex.QueryBuilder, expired: boolean, now: Date): void {
  const open = QUOTE_STATUSES.filter((status) => !isFinal(status));
  if (expired) void query.whereIn('quotes.status', open).where('quotes.expiresAt', '<', now);
  else
    void query.where((either) => void either.whereNotIn('quotes.status', open).orWhere('quotes.expiresAt', '>=', now));
}

const quotesWith = (trx: TenantTransaction, wanted: { tenantId: string; name: string; value: string }) =>
  trx('quoteMetadata').where(wanted).select('quoteId');

function assertFewExact({ reference, metadata = {} }: QuoteFilter): void {
  const count = Object.keys(metadata).length + (reference === undefined ? 0 : 1);
  if (count <= MAX_EXACT_FILTERS) return;
  const message = `admite, con reference, como máximo ${MAX_EXACT_FILTERS} filtros`;
  throw invalidInput([{ path: 'metadata', message }]);
}

const quotesLabelled = (trx: TenantTransaction, tenantId: string, labelId: string) =>
  trx('quoteLabels').where({ tenantId, labelId }).select('quoteId');

/** A number matches the quote's number, as an integer or as people see it; other text matches the client's current contact and company name. */
function narrowToSearch(either: Knex.QueryBuilder, search: string, clients: readonly string[] | 'page' | 'all'): void {
  if (clients === 'page') {
    // "is true" makes it a filter: when most quotes match, scanning the ordered index fills the page fastest.
    void either.whereRaw('(?? in (select client_id from named)) is true', ['quotes.clientId']);
  } else if (clients === 'all') {
    // An array is looked up in the index by client, so that counting is an index-only scan.
    void either.whereRaw('?? = any(array(select client_id from named))', ['quotes.clientId']);
  } else {
    void either.whereIn('quotes.clientId', [...clients]);
  }
  const number = numberIn(search);
  if (number !== undefined) void either.orWhere('quotes.quoteNumber', number);
  // Every number that people see has a digit.
  if (/\d/.test(search)) void either.orWhereIn('quotes.displayNumber', [search, search.toUpperCase()]);
}
