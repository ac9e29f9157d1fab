import { addDays, type Day, dayOf, daysBetween, firstDayOf, startOfDay, type TimeZone } from './zone.ts';

/** The periods that a dashboard can show, and `custom` for a given beginning (decisions, section 7). In the business's days. */
export const PERIODS = ['day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** From (inclusive) until (exclusive), with the stretch of the same length before it, which ends where it begins. */
export interface DashboardPeriod {
  readonly label: Period | 'custom';
  readonly timeZone: TimeZone;
  readonly previousFrom: Date;
  readonly from: Date;
  readonly until: Date;
}

/** The period that ends at `until`: since `from` if it is given, else since its day, ISO week or month began. */
export function dashboardPeriod(
  period: Period,
  { from, until, timeZone }: { from: Date | undefined; until: Date; timeZone: TimeZone },
): DashboardPeriod {
  // The last moment within: a period until midnight belongs to the day that ends there.
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

/** The first and the last day that a period touches. */
export const endsOf = ({
  from,
  until,
  timeZone,
}: Pick<DashboardPeriod, 'from' | 'until' | 'timeZone'>): readonly [first: Day, last: Day] => [
  dayOf(from, timeZone),
  dayOf(new Date(until.getTime() - 1), timeZone),
];

/** Every day that the period touches, first to last. */
export function daysOf(period: Pick<DashboardPeriod, 'from' | 'until' | 'timeZone'>): readonly Day[] {
  const [first, last] = endsOf(period);
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => addDays(first, index));
}
