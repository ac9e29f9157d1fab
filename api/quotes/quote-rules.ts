import { expiryNotAllowed, invalidInput } from '../../domain/errors.ts';
import { expiryAfter, isPast, MAX_VALIDITY_DAYS } from '../../domain/expiry.ts';
import { isCurrency } from '../../domain/money.ts';
import { assertFeature, type Plan } from '../../domain/plans.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { parseTime } from '../date-range.ts';

/** Throws a 400 unless the code is an ISO 4217 currency. */
export function assertCurrency(currency: string): void {
  if (!isCurrency(currency)) throw invalidInput([{ path: 'currency', message: 'debe ser un código ISO 4217' }]);
}

/** Throws a 403 if the plan allows only the currency of the business. */
export function assertMayUse(
  currency: string,
  { plan, businessCurrency }: { plan: Plan; businessCurrency: string },
): void {
  if (currency !== businessCurrency) assertFeature(plan, 'multi_currency');
}

/** The validity in a request body: an instant, or a day of the business, whose end is meant. */
export interface Validity {
  readonly expiresAt?: string;
  readonly validUntil?: string;
}

/** The current time, and the time zone of the business. */
export interface Clock {
  readonly now: Date;
  readonly timeZone: TimeZone;
}

/**
 * The expiry that a request sets, or undefined. Throws a 400 unless it is in the future and within the maximum
 * validity.
 */
export function chosenExpiry({ expiresAt, validUntil }: Validity, { now, timeZone }: Clock): Date | undefined {
  if (expiresAt !== undefined && validUntil !== undefined) {
    throw invalidInput([{ path: 'validUntil', message: 'no puede enviarse junto con expiresAt' }]);
  }
  const [path, given] = validUntil === undefined ? ['expiresAt', expiresAt] : ['validUntil', validUntil];
  if (given === undefined) return undefined;
  const { from, until } = parseTime(path, given, timeZone);
  // A day ends with its last millisecond.
  const chosen = validUntil === undefined ? from : new Date(until.getTime() - 1);
  const problem = isPast(chosen, now)
    ? 'debe estar en el futuro'
    : chosen > expiryAfter(now, MAX_VALIDITY_DAYS, timeZone)
      ? `debe estar a lo más a ${MAX_VALIDITY_DAYS} días`
      : undefined;
  if (problem) throw expiryNotAllowed({ path, message: problem });
  return chosen;
}
