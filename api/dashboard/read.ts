import { Tenant } from '../../db/models/tenant.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { LOST, rateOf, STATUS_LOOKS, trendOf, WON } from '../../domain/dashboard-figures.ts';
import { type DashboardPeriod, dashboardPeriod, daysOf, endsOf } from '../../domain/dashboard-period.ts';
import { invalidInput } from '../../domain/errors.ts';
import { Decimal, decimalNumber } from '../../domain/money.ts';
import { can } from '../../domain/permissions.ts';
import { QUOTE_STATUSES, type QuoteStatus } from '../../domain/quote-status.ts';
import { dateRangeOf } from '../date-range.ts';
import type { Clock } from '../quotes/quote-rules.ts';
import * as queries from './queries.ts';
import type { ResponseBody } from '../schema.ts';
import type { DashboardBody, ReadDashboard } from './schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** About ten years. The response lists each day. */
const MAX_DAYS = 3660;

/** The period of a query. Throws a 400 if it ends before it starts or is too long. */
export function periodOf({ period, ...query }: ReadDashboard, { now, timeZone }: Clock): DashboardPeriod {
  const { from, until } = dateRangeOf(query, timeZone);
  const shown = dashboardPeriod(period, { from, until: until ?? new Date(now.getTime() + 1), timeZone });
  const length = shown.until.getTime() - shown.from.getTime();
  const problem =
    length <= 0
      ? 'debe ser anterior a to'
      : length > MAX_DAYS * DAY_MS
        ? `debe estar a lo más a ${MAX_DAYS} días de to`
        : undefined;
  if (problem) throw invalidInput([{ path: 'from', message: problem }]);
  return shown;
}

/** The dashboard of a period, with changes relative to the previous period of the same length. */
export async function readDashboard(
  trx: TenantTransaction,
  caller: Caller,
  period: DashboardPeriod,
): Promise<ResponseBody<typeof DashboardBody>['data']> {
  const { currency } = await Tenant.query(trx).findById(caller.tenantId).throwIfNotFound();
  const scope: queries.Scope = { caller, period, currency };
  const [first, last] = endsOf(period);
  // Sequential: each query may take up to the statement timeout.
  const { byUserAndStatus: figures, byDay } = await queries.periodFigures(trx, scope);
  const before = await queries.previousFigures(trx, scope);
  const clients = await queries.clientFigures(trx, scope);

  return {
    kpis: {
      ...quoteKpis(figures, before),
      clients: {
        value: clients.value,
        newInPeriod: clients.newInPeriod,
        trend: trendOf(clients.newInPeriod, clients.before),
      },
    },
    amounts: {
      quoted: amountIn(figures, QUOTE_STATUSES),
      won: amountIn(figures, WON),
      prevQuoted: decimalNumber(before?.amount ?? 0),
    },
    chartData: chart(period, byDay),
    statusDistribution: QUOTE_STATUSES.map((status) => ({
      name: STATUS_LOOKS[status].name,
      value: countIn(figures, [status]),
      color: STATUS_LOOKS[status].color,
    })).filter(({ value }) => value > 0),
    recentQuotes: (await queries.recentQuotes(trx, scope)).map(recentQuote),
    topClients: (await queries.topClients(trx, scope)).map(({ name, company, count, total }) => ({
      name,
      company,
      count,
      total: decimalNumber(total),
    })),
    collaboratorActivity: can(caller.role, 'quotes:read_all') ? activityOf(figures) : [],
    period: { from: first, to: last, label: period.label },
  };
}

type Rows = readonly queries.UserStatusFigures[];

const rowsOf = (rows: Rows, statuses: readonly QuoteStatus[]) => rows.filter(({ status }) => statuses.includes(status));

const countIn = (rows: Rows, statuses: readonly QuoteStatus[]): number =>
  rowsOf(rows, statuses).reduce((sum, { count }) => sum + count, 0);

const amountIn = (rows: Rows, statuses: readonly QuoteStatus[]): number =>
  decimalNumber(rowsOf(rows, statuses).reduce((sum, { amount }) => sum.plus(amount), new Decimal(0)));

/** One entry per user with quotes in the period, in the order of the rows. */
function activityOf(rows: Rows) {
  const byUser = new Map<string, queries.UserStatusFigures[]>();
  for (const row of rows) byUser.set(row.userId, [...(byUser.get(row.userId) ?? []), row]);
  return [...byUser].map(([userId, own]) => ({
    userId,
    name: own[0]?.name ?? '',
    generated: countIn(own, QUOTE_STATUSES),
    won: countIn(own, WON),
    lost: countIn(own, LOST),
    amount: amountIn(own, QUOTE_STATUSES),
  }));
}

function quoteKpis(rows: Rows, before: queries.Figures | undefined) {
  const generated = countIn(rows, QUOTE_STATUSES);
  const won = countIn(rows, WON);
  const lost = countIn(rows, LOST);
  return {
    generated: { value: generated, trend: trendOf(generated, before?.generated ?? 0) },
    won: { value: won, rate: rateOf(won, generated), trend: trendOf(won, before?.won ?? 0) },
    lost: { value: lost, rate: rateOf(lost, generated), trend: trendOf(lost, before?.lost ?? 0) },
  };
}

/** Every day of the period, including days without quotes. */
function chart(period: DashboardPeriod, rows: readonly queries.DayFigures[]) {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return daysOf(period).map((date) => {
    const row = byDate.get(date);
    return { date, generated: row?.generated ?? 0, won: row?.won ?? 0, amount: decimalNumber(row?.amount ?? 0) };
  });
}

const recentQuote = (quote: queries.RecentQuote) => ({
  id: quote.id,
  quoteNumber: quote.quoteNumber,
  status: quote.status,
  total: decimalNumber(quote.total),
  createdAt: quote.createdAt.toISOString(),
  clientName: quote.clientName,
  companyName: quote.companyName,
});
