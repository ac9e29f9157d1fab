import { Temporal } from 'temporal-polyfill';

/**
 * Days of a business, in its time zone. The only place that computes where a day begins and ends; everything else, SQL
 * too, gets instants from here. Zone data come from the JavaScript engine (docs/operations.md). Workflows must not
 * import it: zone data that change between releases would change how a history replays.
 */

/** An IANA name, such as "America/Mexico_City". */
export type TimeZone = string;

/** A day of the calendar, "2026-12-15". */
export type Day = string;

/** The zone's name as the IANA database spells it, whatever the case; undefined when there is no such zone. */
export function timeZoneNamed(name: string): TimeZone | undefined {
  // The library also accepts offsets and whole timestamps as zones. They begin with a sign or a digit.
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

interface Bounds {
  readonly day: Day;
  /** Its first and last millisecond. */
  readonly start: number;
  readonly end: number;
}

// Lists, and quotes that are created, ask for the same few days repeatedly. Zone data do not change while a process runs.
const boundsByDay = new Map<string, Bounds>();
/** The days that overlap a day of UTC. */
const daysByUtcDay = new Map<string, Bounds[]>();
const MAX_CACHED_DAYS = 10_000;
const UTC_DAY_MS = 86_400_000;

function boundsOf(day: Day, zone: TimeZone): Bounds {
  const key = `${day} ${zone}`;
  const found = boundsByDay.get(key);
  if (found) return found;
  const date = Temporal.PlainDate.from(day);
  const startOf = (of: Temporal.PlainDate): number => of.toZonedDateTime(zone).epochMilliseconds;
  const bounds = { day, start: startOf(date), end: startOf(date.add({ days: 1 })) - 1 };
  if (boundsByDay.size >= MAX_CACHED_DAYS) boundsByDay.clear();
  boundsByDay.set(key, bounds);
  return bounds;
}

/** The day in the zone at that moment. */
export function dayOf(at: Date, zone: TimeZone): Day {
  const ms = at.getTime();
  const key = `${Math.floor(ms / UTC_DAY_MS)} ${zone}`;
  const known = daysByUtcDay.get(key) ?? [];
  const found = known.find(({ start, end }) => start <= ms && ms <= end);
  if (found) return found.day;
  const bounds = boundsOf(localTimeOf(at, zone).toPlainDate().toString(), zone);
  if (daysByUtcDay.size >= MAX_CACHED_DAYS) daysByUtcDay.clear();
  daysByUtcDay.set(key, [...known, bounds]);
  return bounds.day;
}

/** The first moment of a day. Not always midnight: some zones set their clocks forward then. */
export const startOfDay = (day: Day, zone: TimeZone): Date => new Date(boundsOf(day, zone).start);

/** The last millisecond of a day. */
export const endOfDay = (day: Day, zone: TimeZone): Date => new Date(boundsOf(day, zone).end);

/** Whether that moment is the last millisecond of its day in the zone. */
export const isEndOfDay = (at: Date, zone: TimeZone): boolean =>
  endOfDay(dayOf(at, zone), zone).getTime() === at.getTime();

/** The day that many days later, or earlier for a negative number. */
export function addDays(day: Day, days: number): Day {
  // Every new quote asks for one, and a day of UTC is as long as any other.
  const [later = ''] = new Date(Date.parse(day) + days * UTC_DAY_MS).toISOString().split('T');
  return later;
}

/** The number of days from `from` to `to`. */
export const daysBetween = (from: Day, to: Day): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days;

/** The first day of the ISO week or month that contains the day; for `day` the day itself. */
export function firstDayOf(unit: 'day' | 'week' | 'month', day: Day): Day {
  const date = Temporal.PlainDate.from(day);
  if (unit === 'month') return date.with({ day: 1 }).toString();
  return unit === 'week' ? date.subtract({ days: date.dayOfWeek - 1 }).toString() : day;
}

/** The moment when clocks in the zone show that time; if they skip it, the moment at which they would have. */
export const timeOfDay = (day: Day, time: string, zone: TimeZone): Date =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds);

/** What clocks and calendars in the zone show at a moment, with the UTC offset as in "-06:00". */
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

/** The moments that an ISO 8601 text names: from its first until the next one. */
export interface NamedTime {
  readonly from: Date;
  readonly until: Date;
}

/**
 * Parses a day, a local time or a moment with an offset; the first two count in the zone. Undefined for anything else,
 * and for dates and times that do not exist.
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
    // Responses show milliseconds, so the last one counts whole.
    return { from: new Date(at), until: new Date(at + 1) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
