import type { NamedStatement, PipelinedRead } from '../../db/pipeline.ts';
import type { Position } from '../../db/reads/keyset.ts';
import type { LabelOfQuote } from '../../db/reads/quote-labels.ts';
import type { Caller } from '../../domain/caller.ts';
import { can } from '../../domain/permissions.ts';
import { MAX_LIMIT } from '../schema.ts';
import type { ListQuotes } from './list-schema.ts';
import { orderNamed } from './order.ts';
import { type ListedQuote, pageAfter, type QuotePage } from './queries.ts';

/**
 * The most frequent form of the list, by number and without filters, in one round trip with prepared statements.
 * Equivalent to `listQuotes` with `labelsOf`.
 */

type Order = 'asc' | 'desc';
type Whose = 'all' | 'own';

const ORDERS: Readonly<Record<string, Order>> = { '-quoteNumber': 'desc', quoteNumber: 'asc' };
const BY_NUMBER = { desc: '-quoteNumber', asc: 'quoteNumber' } as const;

/** Query parameters that this form supports. */
const PLAIN: ReadonlySet<string> = new Set(['sort', 'cursor', 'page', 'limit']);

/** The order of the query, or undefined if it needs `listQuotes`. */
export function plainOrder(query: ListQuotes): Order | undefined {
  const filtered = Object.entries(query).some(([name, value]) => value !== undefined && !PLAIN.has(name));
  return filtered ? undefined : ORDERS[query.sort];
}

export interface LabelledQuote extends ListedQuote {
  readonly labels: readonly LabelOfQuote[];
}

export async function listUnfiltered(
  read: PipelinedRead,
  caller: Caller,
  { order, page, limit, after }: { order: Order; page: number; limit: number; after?: Position | undefined },
): Promise<QuotePage<LabelledQuote>> {
  const whose: Whose = can(caller.role, 'quotes:read_all') ? 'all' : 'own';
  if (after) {
    // One quote more shows whether the list goes on.
    const [found] = await read(caller.tenantId, [pageOf(caller, { whose, order, limit: limit + 1, after })]);
    return pageAfter((found ?? []) as LabelledQuote[], { order: orderNamed(BY_NUMBER[order]), limit });
  }
  const offset = (page - 1) * limit;
  const [counted, rows] = await read(caller.tenantId, [
    countOf(caller, whose),
    pageOf(caller, { whose, order, limit, offset }),
  ]);
  // The statements below select these columns.
  const [{ count } = { count: 0 }] = (counted ?? []) as { count: number }[];
  const quotes = (rows ?? []) as LabelledQuote[];
  const last = quotes.at(-1);
  return { total: count, quotes, last: last && offset + quotes.length < count ? [String(last.quoteNumber)] : null };
}

/** The counter of numbers without the skipped ones: quotes are never deleted, so it counts those of the business. */
const countOf = ({ tenantId, userId }: Caller, whose: Whose): NamedStatement =>
  whose === 'all'
    ? {
        name: 'quotes-counted',
        text: 'select last_number - skipped_numbers as count from quote_counters where tenant_id = $1',
        values: [tenantId],
      }
    : {
        name: 'quotes-counted-own',
        text: 'select count(*)::int as count from quotes where tenant_id = $1 and user_id = $2',
        values: [tenantId, userId],
      };

/** Up to this offset whole rows are skipped; beyond it only index entries. */
const NEAR = 200;
/**
 * Rows of the longest page, with the one that shows whether the list goes on. A general plan is made before the limit is known:
 * without a number in the text PostgreSQL expects a tenth of all quotes, and joins whole tables.
 */
const MAX_ROWS = MAX_LIMIT + 1;

interface Wanted {
  readonly whose: Whose;
  readonly order: Order;
  readonly limit: number;
  readonly offset?: number;
  readonly after?: Position;
}

/** Selects the page first and joins the rest to it (see `listQuotes` in queries.ts). */
function pageOf({ tenantId, userId }: Caller, { whose, order, limit, offset = 0, after }: Wanted): NamedStatement {
  const own = whose === 'own';
  const isNear = offset < NEAR;
  const where = `tenant_id = $1${own ? ' and user_id = $4' : ''}`;
  const start = after ? ` and quote_number ${order === 'asc' ? '>' : '<'} $3` : '';
  const rows = `from quotes where ${where}${start} order by quote_number ${order}`;
  const near = `select * ${rows} limit $2 offset $3`;
  const far = `select * from (select tenant_id, quote_number ${rows} limit ${MAX_ROWS} offset $3) bounded limit $2`;
  const following = `select * from (select * ${rows} limit ${MAX_ROWS}) bounded limit $2`;
  return {
    name: `quotes-page-${whose}-${order}-${after ? 'after' : isNear ? 'near' : 'far'}`,
    text: `select q.id, q.quote_number as "quoteNumber", q.display_number as "displayNumber", q.title, q.reference, q.status, q.version, q.currency, q.subtotal, q.discount, q.tax,
        q.shipping_cost as "shippingCost", q.total, q.notes, q.expires_at as "expiresAt", q.view_count as "viewCount",
        q.created_at as "createdAt", q.answered_at as "answeredAt", q.signer_name as "signerName", q.signer_email as "signerEmail", q.client_id as "clientId", c.contact_name as "contactName",
        c.company_name as "companyName", c.email, c.phone, u.name as "userName",
        (select count(*)::int from quote_items i where i.tenant_id = q.tenant_id and i.quote_id = q.id) as "itemCount",
        (select coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'color', l.color)
                                  order by lower(l.name), l.id), '[]')
           from quote_labels ql join labels l on l.tenant_id = ql.tenant_id and l.id = ql.label_id
          where ql.tenant_id = q.tenant_id and ql.quote_id = q.id) as labels
      from ${
        isNear
          ? `(${after ? following : near}) q`
          : `(${far}) p
        join quotes q on q.tenant_id = p.tenant_id and q.quote_number = p.quote_number`
      }
      left join clients c on c.tenant_id = q.tenant_id and c.id = q.client_id
      left join users u on u.tenant_id = q.tenant_id and u.id = q.user_id
      order by q.quote_number ${order}`,
    values: [tenantId, limit, after ? Number(after[0]) : offset, ...(own ? [userId] : [])],
  };
}
