import { Temporal } from 'temporal-polyfill';

/**
 * Days of a business, in its time zone (decisions, section 9). The only place that computes where a day begins and ends:
 * everything else gets instants from here, SQL too. Zone data are those of the JavaScript engine (docs/operations.md).
 * Workflows do not import it: data that change between two releases would change how a history replays.
 */

/** An IANA name, such as "America/Mexico_City". */
export type TimeZone = string;

/** A day of the calendar, "2026-12-15". */
export type Day = string;

/** The zone's name as the IANA database writes it, whatever the case; undefined for what is no name of a zone there. */
export function timeZoneNamed(name: string): TimeZone | undefined {
  // The library also reads offsets and whole timestamps as zones. They begin with a sign or a digit.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const localTimeOf = (at: Date, zone: TimeZone): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);

// A list asks for the same few ends of days again and again.
const known = new Map<string, Day>();
const MOST_KNOWN = 10_000;

/** The day that it is there at that moment. */
export function dayOf(at: Date, zone: TimeZone): Day {
  const key = `${at.getTime()} ${zone}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MOST_KNOWN) known.clear();
  const day = localTimeOf(at, zone).toPlainDate().toString();
  known.set(key, day);
  return day;
}

/** The first moment of a day. Not always midnight: some zones set their clocks forward then. */
export const startOfDay = (day: Day, zone: TimeZone): Date =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds);

/** The last millisecond of a day. */
export const endOfDay = (day: Day, zone: TimeZone): Date => new Date(startOfDay(addDays(day, 1), zone).getTime() - 1);

/** Whether that moment is the last millisecond of its day there. */
export const isEndOfDay = (at: Date, zone: TimeZone): boolean =>
  endOfDay(dayOf(at, zone), zone).getTime() === at.getTime();

/** The day so many days later, earlier for a negative number. */
export const addDays = (day: Day, days: number): Day => Temporal.PlainDate.from(day).add({ days }).toString();

/** How many days later `to` is than `from`. */
export const daysBetween = (from: Day, to: Day): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days;

/** The first day of the ISO week or of the month that a day is in; the day itself. */
export function firstDayOf(unit: 'day' | 'week' | 'month', day: Day): Day {
  const date = Temporal.PlainDate.from(day);
  if (unit === 'month') return date.with({ day: 1 }).toString();
  return unit === 'week' ? date.subtract({ days: date.dayOfWeek - 1 }).toString() : day;
}

/** When clocks there show that time of the day; where they skip it, the moment that would have been. */
export const timeOfDay = (day: Day, time: string, zone: TimeZone): Date =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds);

/** What clocks and calendars there show at a moment, with their distance from UTC as in "-06:00". */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** "18:04:09" */
  readonly time: string;
  readonly offset: string;
}

export function localTime(at: Date, zone: TimeZone): LocalTime {
  const local = localTimeOf(at, zone);
  const { year, month, day, offset } = local;
  return { year, month, day, time: local.toPlainTime().toString({ smallestUnit: 'second' }), offset };
}

const DAY_ONLY = /^\d{4}-?\d\d-?\d\d$/;
const TIME = String.raw`[Tt ]\d\d(?::?\d\d(?::?[0-5]\d(?:[.,]\d{1,9})?)?)?`;
const OFFSET = String.raw`[Zz]|[+-]\d\d(?::?\d\d)?`;
const MOMENT = new RegExp(String.raw`^\d{4}-?\d\d-?\d\d${TIME}(${OFFSET})?$`);

/** What a text of ISO 8601 names: from its first moment until the next one. */
export interface NamedTime {
  readonly from: Date;
  readonly until: Date;
}

/**
 * Reads a day, a local time or a moment with an offset. The first two count in the zone. Undefined for anything else, and
 * for what no calendar or clock shows.
 */
export function readTime(text: string, zone: TimeZone): NamedTime | undefined {
  try {
    if (DAY_ONLY.test(text)) {
      const day = Temporal.PlainDate.from(text).toString();
      return { from: startOfDay(day, zone), until: startOfDay(addDays(day, 1), zone) };
    }
    const offset = MOMENT.exec(text);
    if (!offset) return undefined;
    const { epochMilliseconds: at } = offset[1]
      ? Temporal.Instant.from(text)
      : Temporal.PlainDateTime.from(text).toZonedDateTime(zone);
    // Answers show milliseconds, so the last one counts whole.
    return { from: new Date(at), until: new Date(at + 1) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
