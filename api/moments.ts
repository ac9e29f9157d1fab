import { invalidInput } from '../domain/errors.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A stretch of time: from (inclusive) until (exclusive), either of them open. */
export interface Span {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
}

/** A query's `from` and `to`, each a day or a moment. A day counts in UTC, and as `to` through its end. */
export function spanOf({ from, to }: { readonly from?: string; readonly to?: string }): Span {
  return {
    from: from === undefined ? undefined : moment('from', from),
    // Answers show milliseconds, so the last one counts whole.
    until: to === undefined ? undefined : new Date(moment('to', to).getTime() + (DAY.test(to) ? DAY_MS : 1)),
  };
}

/** Throws a 400 for what the format lets through and no clock shows, such as a leap second. */
export function moment(path: string, text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw invalidInput([{ path, message: 'debe ser una fecha y hora ISO 8601' }]);
  return date;
}
