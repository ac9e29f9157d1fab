import type { Knex } from 'knex';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { LOST, WON } from '../../domain/dashboard-figures.ts';
import { type DashboardPeriod, daysOf } from '../../domain/dashboard-period.ts';
import { can } from '../../domain/permissions.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';
import { startOfDay } from '../../domain/zone.ts';

/** Queries of the dashboard. PostgreSQL groups, so results grow with days, users and statuses, not with quotes. */

const MAX_RECENT_QUOTES = 7;
const MAX_TOP_CLIENTS = 5;

/** The caller, the period, and the currency of the amounts. */
export interface Scope {
  readonly caller: Caller;
  readonly period: DashboardPeriod;
  readonly currency: string;
}

/** Quotes created in a period; for a collaborator only their own. */
function createdBetween(trx: TenantTransaction, { caller }: Scope, from: Date, until: Date): Knex.QueryBuilder {
  const query = trx('quotes')
    .where('quotes.tenantId', caller.tenantId)
    .where('quotes.createdAt', '>=', from)
    .where('quotes.createdAt', '<', until);
  if (!can(caller.role, 'quotes:read_all')) void query.where('quotes.userId', caller.userId);
  return query;
}

const createdInPeriod = (trx: TenantTransaction, scope: Scope) =>
  createdBetween(trx, scope, scope.period.from, scope.period.until);

const countOf = (trx: TenantTransaction, statuses: readonly QuoteStatus[]) =>
  trx.raw('count(*) filter (where quotes.status = any(?))::int', [[...statuses]]);

/** Sums only amounts in the currency of the business. */
const amountOf = (trx: TenantTransaction, currency: string) =>
  trx.raw('coalesce(sum(quotes.total) filter (where quotes.currency = ?), 0)', [currency]);

const columns = (trx: TenantTransaction, currency: string) => ({
  generated: trx.raw('count(*)::int'),
  won: countOf(trx, WON),
  lost: countOf(trx, LOST),
  amount: amountOf(trx, currency),
});

/** `amount` is a decimal string. */
export interface Figures {
  readonly generated: number;
  readonly won: number;
  readonly lost: number;
  readonly amount: string;
}

export async function previousFigures(trx: TenantTransaction, scope: Scope): Promise<Figures | undefined> {
  const { previousFrom, from } = scope.period;
  const rows: Figures[] = await createdBetween(trx, scope, previousFrom, from).select(columns(trx, scope.currency));
  return rows[0];
}

/** The quotes of one user with one status. */
export interface UserStatusFigures {
  readonly userId: string;
  readonly name: string;
  readonly status: QuoteStatus;
  readonly count: number;
  /** A decimal string. */
  readonly amount: string;
}

/** The quotes of one day. */
export interface DayFigures {
  /** YYYY-MM-DD in the time zone of the business. */
  readonly date: string;
  readonly generated: number;
  readonly won: number;
  /** A decimal string. */
  readonly amount: string;
}

/** The quotes of the period by user and status, and by day. Users by amount, descending. */
export interface PeriodFigures {
  readonly byUserAndStatus: readonly UserStatusFigures[];
  readonly byDay: readonly DayFigures[];
}

/**
 * Groups the quotes by user, status and day in one scan, then sums these few rows by user and status, and by day. Two
 * queries would read each quote twice.
 */
export async function periodFigures(trx: TenantTransaction, scope: Scope): Promise<PeriodFigures> {
  const days = daysOf(scope.period);
  // The starts of the days are computed here, so that PostgreSQL needs no time zone conversion per row.
  const starts = days.map((day) => startOfDay(day, scope.period.timeZone));
  const cells = createdInPeriod(trx, scope)
    .groupBy('quotes.userId', 'quotes.status', 'day')
    .select({
      userId: 'quotes.userId',
      status: 'quotes.status',
      day: trx.raw('width_bucket(quotes.created_at, ?::timestamptz[])', [starts]),
      count: trx.raw('count(*)'),
      amount: amountOf(trx, scope.currency),
    });
  const figures = trx
    .from('cells')
    .groupByRaw('grouping sets ((user_id, status), (day))')
    .select('userId', 'status', {
      day: 'day',
      count: trx.raw('sum(count)::int'),
      won: trx.raw('coalesce(sum(count) filter (where status = any(?)), 0)::int', [[...WON]]),
      amount: trx.raw('sum(amount)'),
    });
  const rows: ((UserStatusFigures & { readonly day: null }) | (Omit<DayFigures, 'date'> & { readonly day: number }))[] =
    await trx
      .withMaterialized('cells', cells)
      .from(figures.as('f'))
      .leftJoin('users as u', (join) => join.on('u.id', 'f.userId').andOnVal('u.tenantId', scope.caller.tenantId))
      .orderByRaw(
        'sum(f.amount) over (partition by u.id) desc, sum(f.count) over (partition by u.id) desc, u.name, u.id, f.status',
      )
      .select('f.*', 'f.count as generated', 'u.name');
  return {
    byUserAndStatus: rows.filter((row) => row.day === null),
    // width_bucket counts from one.
    byDay: rows.filter((row) => row.day !== null).map(({ day, ...row }) => ({ ...row, date: days[day - 1] ?? '' })),
  };
}

export async function topClients(trx: TenantTransaction, scope: Scope) {
  const byClient = createdInPeriod(trx, scope)
    .groupBy('quotes.clientId')
    .select({ clientId: 'quotes.clientId', count: trx.raw('count(*)::int'), total: amountOf(trx, scope.currency) })
    .orderBy([{ column: 'total', order: 'desc' }, { column: 'count', order: 'desc' }, 'quotes.clientId'])
    .limit(MAX_TOP_CLIENTS);
  const rows: { name: string; company: string | null; count: number; total: string }[] = await trx
    .from(byClient.as('f'))
    .join('clients as c', 'c.id', 'f.clientId')
    .where('c.tenantId', scope.caller.tenantId)
    .orderBy([{ column: 'f.total', order: 'desc' }, { column: 'f.count', order: 'desc' }, 'f.clientId'])
    .select('c.contactName as name', 'c.companyName as company', 'f.count', 'f.total');
  return rows;
}

export interface RecentQuote {
  readonly id: string;
  readonly quoteNumber: number;
  readonly status: QuoteStatus;
  readonly total: string;
  readonly createdAt: Date;
  readonly clientName: string;
  readonly companyName: string | null;
}

export async function recentQuotes(trx: TenantTransaction, scope: Scope): Promise<readonly RecentQuote[]> {
  const newest = [
    { column: 'createdAt', order: 'desc' },
    { column: 'quoteNumber', order: 'desc' },
  ];
  const recent = createdInPeriod(trx, scope).orderBy(newest).limit(MAX_RECENT_QUOTES);
  return trx
    .from(recent.as('q'))
    .join('clients as c', 'c.id', 'q.clientId')
    .where('c.tenantId', scope.caller.tenantId)
    .orderBy(newest.map(({ column, order }) => ({ column: `q.${column}`, order })))
    .select('q.id', 'q.quoteNumber', 'q.status', 'q.total', 'q.createdAt')
    .select('c.contactName as clientName', 'c.companyName');
}

/** Numbers of all clients, and of those created in this and the previous period; each is an index-only scan. */
export async function clientFigures(trx: TenantTransaction, { caller, period }: Scope) {
  const { previousFrom, from, until } = period;
  const count = () => trx('clients').where('tenantId', caller.tenantId).select(trx.raw('count(*)::int'));
  const cameIn = (begin: Date, end: Date) => count().where('createdAt', '>=', begin).where('createdAt', '<', end);
  const rows: { value: number; newInPeriod: number; before: number }[] = await trx.select({
    value: count(),
    newInPeriod: cameIn(from, until),
    before: cameIn(previousFrom, from),
  });
  return rows[0] ?? { value: 0, newInPeriod: 0, before: 0 };
}
