/** The periods that a dashboard can show, and `custom` for a given beginning (decisions, section 7). All in UTC. */
export const PERIODS = ['day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** From (inclusive) until (exclusive), with the stretch of the same length before it, which ends where it begins. */
export interface DashboardPeriod {
  readonly label: Period | 'custom';
  readonly previousFrom: Date;
  readonly from: Date;
  readonly until: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The period that ends at `until`: since `from` if it is given, else since its day, ISO week or month began. */
export function dashboardPeriod(
  period: Period,
  { from, until }: { from: Date | undefined; until: Date },
): DashboardPeriod {
  // The last moment within: a period until midnight belongs to the day that ends there.
  const begin = from ?? startOf(period, new Date(until.getTime() - 1));
  return {
    label: from ? 'custom' : period,
    previousFrom: new Date(2 * begin.getTime() - until.getTime()),
    from: begin,
    until,
  };
}

function startOf(period: Period, at: Date): Date {
  const midnight = new Date(at);
  midnight.setUTCHours(0, 0, 0, 0);
  if (period === 'month') midnight.setUTCDate(1);
  // ISO weeks begin on Monday; getUTCDay() counts from Sunday.
  if (period === 'week') midnight.setUTCDate(midnight.getUTCDate() - ((midnight.getUTCDay() + 6) % 7));
  return midnight;
}

/** YYYY-MM-DD, in UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Every day that the period touches, first to last. */
export function daysOf({ from, until }: Pick<DashboardPeriod, 'from' | 'until'>): readonly string[] {
  const first = Date.parse(dayOf(from));
  const last = Date.parse(dayOf(new Date(until.getTime() - 1)));
  return Array.from({ length: (last - first) / DAY_MS + 1 }, (_, i) => dayOf(new Date(first + i * DAY_MS)));
}
