import { addDays, dayOf, endOfDay, timeOfDay, type TimeZone } from './zone.ts';

/** When a quote expires, and the two moments before that (decisions, sections 3, 6 and 9). */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The longest validity that may be chosen. */
export const LONGEST_VALIDITY_DAYS = 365;

/** When a quote of that moment expires by a validity in days: with the last millisecond of the business's day. */
export const expiryAfter = (createdAt: Date, validityDays: number, zone: TimeZone): Date =>
  endOfDay(addDays(dayOf(createdAt, zone), validityDays), zone);

/** At `expiresAt` itself a quote is still valid: it is the last millisecond of a day. */
export const isPast = (expiresAt: Date, now: Date): boolean => expiresAt < now;

/** The settings by which reminders are timed: a change of one moves those that are still ahead. */
export const REMINDER_SETTINGS: readonly string[] = ['reminderDaysBefore', 'timeZone'];

const REMINDED_AT = '09:00';
/** Quotes that expire at the same moment are not all reminded of and announced at the same moment. */
const REMINDERS_WITHIN_MS = 15 * MINUTE_MS;
const ANNOUNCEMENTS_WITHIN_MS = 10 * MINUTE_MS;

/** What the moments before the end depend on. */
export interface Expiring {
  readonly quoteId: string;
  readonly expiresAt: Date;
  readonly reminderDaysBefore: number;
  readonly timeZone: TimeZone;
}

export interface ExpiryMoments {
  /** When the client is reminded: in the morning, so many days before the day of expiry. */
  readonly remindAt: Date;
  /** When QUOTE_EXPIRING happens: when 24 hours are left. */
  readonly expiringAt: Date;
}

/** Both moments; either may be past, and then the rules of the reminder and of the event differ. */
export function expiryMoments({ quoteId, expiresAt, reminderDaysBefore, timeZone }: Expiring): ExpiryMoments {
  const day = addDays(dayOf(expiresAt, timeZone), -reminderDaysBefore);
  return {
    remindAt: later(timeOfDay(day, REMINDED_AT, timeZone), `reminder ${quoteId}`, REMINDERS_WITHIN_MS),
    expiringAt: later(new Date(expiresAt.getTime() - DAY_MS), `expiring ${quoteId}`, ANNOUNCEMENTS_WITHIN_MS),
  };
}

/** Later by less than `withinMs`, always as much for the same text. */
const later = (at: Date, text: string, withinMs: number): Date => new Date(at.getTime() + (hashOf(text) % withinMs));

/** FNV-1a, 32 bits, then mixed: neighbours in the alphabet are to be far apart. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
