import { addDays, dayOf, endOfDay, timeOfDay, type TimeZone } from './zone.ts';

/** When a quote expires, and the reminder and event before that. */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The longest validity that a caller may choose. */
export const MAX_VALIDITY_DAYS = 365;

/** The expiry of a quote created at that moment with a validity in days: the last millisecond of the business's day. */
export const expiryAfter = (createdAt: Date, validityDays: number, zone: TimeZone): Date =>
  endOfDay(addDays(dayOf(createdAt, zone), validityDays), zone);

/** A quote is still valid at `expiresAt` itself, the last millisecond of a day. */
export const isPast = (expiresAt: Date, now: Date): boolean => expiresAt < now;

/** The settings that time reminders and follow-ups: a change of one moves those that are still due. */
export const REMINDER_SETTINGS: readonly string[] = ['reminderDaysBefore', 'followUpDays', 'timeZone'];

const REMINDER_TIME = '09:00';
/** Spread, so that quotes that expire at the same moment do not all cause work at the same moment. */
const REMINDER_SPREAD_MS = 15 * MINUTE_MS;
const ANNOUNCEMENT_SPREAD_MS = 10 * MINUTE_MS;

/** What the times before the expiry depend on. */
export interface Expiring {
  readonly quoteId: string;
  readonly expiresAt: Date;
  readonly reminderDaysBefore: number;
  readonly timeZone: TimeZone;
}

export interface ExpiryMoments {
  /** When the client is reminded: in the morning, that many days before the day of expiry. */
  readonly remindAt: Date;
  /** When QUOTE_EXPIRING happens: 24 hours before the expiry. */
  readonly expiringAt: Date;
}

/** Both times. Either may be past; the reminder and the event then follow different rules. */
export function expiryMoments({ quoteId, expiresAt, reminderDaysBefore, timeZone }: Expiring): ExpiryMoments {
  const day = addDays(dayOf(expiresAt, timeZone), -reminderDaysBefore);
  return {
    remindAt: later(timeOfDay(day, REMINDER_TIME, timeZone), `reminder ${quoteId}`, REMINDER_SPREAD_MS),
    expiringAt: later(new Date(expiresAt.getTime() - DAY_MS), `expiring ${quoteId}`, ANNOUNCEMENT_SPREAD_MS),
  };
}

/** A moment later by less than `withinMs`; the delay is always the same for the same text. */
const later = (at: Date, text: string, spreadMs: number): Date => new Date(at.getTime() + (hashOf(text) % spreadMs));

/** FNV-1a, 32 bits, then mixed so that similar texts get distant values. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
