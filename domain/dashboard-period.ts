import { addDays, type Day, dayOf, daysBetween, firstDayOf, startOfDay, type TimeZone } from './zone.ts';

/** The periods that a dashboard can show, in days of the business; `custom` starts at a given moment. */
export const PERIODS = ['day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** From (inclusive) until (exclusive), with the preceding period of the same length for comparison. */
export interface DashboardPeriod {
  readonly label: Period | 'custom';
  readonly timeZone: TimeZone;
  readonly previousFrom: Date;
  readonly from: Date;
  readonly until: Date;
}

/** The period that ends at `until` and starts at `from` if given, else at the start of its day, ISO week or month. */
export function dashboardPeriod(
  period: Period,
  { from, until, timeZone }: { from: Date | undefined; until: Date; timeZone: TimeZone },
): DashboardPeriod {
  // The last moment within the period: one that ends at midnight belongs to the day before.
  const last = dayOf(new Date(until.getTime() - 1), timeZone);
  const begin = from ?? startOfDay(firstDayOf(period, last), timeZone);
  return {
    label: from ? 'custom' : period,
    timeZone,
    previousFrom: new Date(2 * begin.getTime() - until.getTime()),
    from: begin,
    until,
  };
}

/** The first and the last day of the period. */
export const endsOf = ({
  from,
  until,
  timeZone,
}: Pick<DashboardPeriod, 'from' | 'until' | 'timeZone'>): readonly [first: Day, last: Day] => [
  dayOf(from, timeZone),
  dayOf(new Date(until.getTime() - 1), timeZone),
];

/** Every day of the period, in order. */
export function daysOf(period: Pick<DashboardPeriod, 'from' | 'until' | 'timeZone'>): readonly Day[] {
  const [first, last] = endsOf(period);
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => addDays(first, index));
}
