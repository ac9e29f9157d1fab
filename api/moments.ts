import { invalidInput } from '../domain/errors.ts';
import { type NamedTime, readTime, type TimeZone } from '../domain/zone.ts';

/** A stretch of time: from (inclusive) until (exclusive), either of them open. */
export interface Span {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
}

/** A query's `from` and `to`, each a day, a local time or a moment; a day or second named as `to` counts to its end. */
export const spanOf = ({ from, to }: { readonly from?: string; readonly to?: string }, zone: TimeZone): Span => ({
  from: from === undefined ? undefined : named('from', from, zone).from,
  until: to === undefined ? undefined : named('to', to, zone).until,
});

/** What a text names. Throws a 400 for what the format lets through and no calendar or clock shows. */
export function named(path: string, text: string, zone: TimeZone): NamedTime {
  const found = readTime(text, zone);
  if (!found) throw invalidInput([{ path, message: 'debe ser una fecha y hora ISO 8601' }]);
  return found;
}
