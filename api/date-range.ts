import { invalidInput } from '../domain/errors.ts';
import { type NamedTime, readTime, type TimeZone } from '../domain/zone.ts';

/** A range of time, from (inclusive) until (exclusive); undefined is unbounded. */
export interface DateRange {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
}

/** The range of a query's `from` and `to`, each a day, local time or instant. A day or second in `to` is included. */
export const dateRangeOf = (
  { from, to }: { readonly from?: string; readonly to?: string },
  zone: TimeZone,
): DateRange => ({
  from: from === undefined ? undefined : parseTime('from', from, zone).from,
  until: to === undefined ? undefined : parseTime('to', to, zone).until,
});

/** Parses a time. Throws a 400 for texts that match the format but no calendar or clock, such as February 30. */
export function parseTime(path: string, text: string, zone: TimeZone): NamedTime {
  const found = readTime(text, zone);
  if (!found) throw invalidInput([{ path, message: 'debe ser una fecha y hora ISO 8601' }]);
  return found;
}
