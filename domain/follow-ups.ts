import { addDays, dayOf, timeOfDay, type TimeZone } from './zone.ts';

/** When the client of a quote that was shared and not answered gets a follow-up. */

/** The largest number of follow-ups in the settings, and of days. */
export const MAX_FOLLOW_UPS = 3;
export const MAX_FOLLOW_UP_DAYS = 60;

const FOLLOW_UP_TIME = '10:00';

/** What the times depend on. */
export interface FollowUpRule {
  /** The last share. */
  readonly sharedAt: Date;
  readonly followUpDays: readonly number[];
  readonly timeZone: TimeZone;
  readonly expiresAt: Date;
  /** The reminder before the expiry; null when there is none. On its day there is no follow-up. */
  readonly remindAt: Date | null;
}

export interface FollowUpTime {
  /** Days after the share. */
  readonly day: number;
  readonly at: Date;
}

/** The follow-ups of a share, in order, past ones too. */
export function followUpTimes({ sharedAt, followUpDays, timeZone, expiresAt, remindAt }: FollowUpRule): FollowUpTime[] {
  const sharedOn = dayOf(sharedAt, timeZone);
  return followUpDays
    .map((day) => ({ day, at: timeOfDay(addDays(sharedOn, day), FOLLOW_UP_TIME, timeZone) }))
    .filter(({ at }) => at <= expiresAt && !isOnDayOf(remindAt, at, timeZone));
}

/** Whether the reminder is on the day of that moment. */
export const isOnDayOf = (remindAt: Date | null, at: Date, timeZone: TimeZone): boolean =>
  remindAt !== null && dayOf(remindAt, timeZone) === dayOf(at, timeZone);

/** The sentence for days that are not in order; undefined when they are. */
export const followUpDaysProblem = (days: readonly number[]): string | undefined =>
  days.every((day, index) => index === 0 || day > (days[index - 1] ?? 0))
    ? undefined
    : 'deben ser distintos y estar en orden ascendente';
