import { invalidInput } from '../../domain/errors.ts';
import { expiryAfter, isPast, MAX_VALIDITY_DAYS } from '../../domain/expiry.ts';
import { isCurrency } from '../../domain/money.ts';
import { assertFeature, type Plan } from '../../domain/plans.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { named } from '../moments.ts';

/** Throws a 400 for a code that is no ISO 4217 currency. */
export function assertCurrency(currency: string): void {
  if (!isCurrency(currency)) throw invalidInput([{ path: 'currency', message: 'debe ser un código ISO 4217' }]);
}

/** Throws the 403 of a plan without other currencies than the business's. */
export function assertMayUse(
  currency: string,
  { plan, businessCurrency }: { plan: Plan; businessCurrency: string },
): void {
  if (currency !== businessCurrency) assertFeature(plan, 'multi_currency');
}

/** How a body says until when a quote is valid: to the moment, or to the end of a day of the business. */
export interface Validity {
  readonly expiresAt?: string;
  readonly validUntil?: string;
}

/** By which clock and whose days that is judged. */
export interface Clock {
  readonly now: Date;
  readonly timeZone: TimeZone;
}

/**
 * The moment that a caller chose, undefined for none. Throws a 400 unless it lies in the future and within the days that
 * are allowed.
 */
export function chosenExpiry({ expiresAt, validUntil }: Validity, { now, timeZone }: Clock): Date | undefined {
  if (expiresAt !== undefined && validUntil !== undefined) {
    throw invalidInput([{ path: 'validUntil', message: 'no puede enviarse junto con expiresAt' }]);
  }
  const [path, given] = validUntil === undefined ? ['expiresAt', expiresAt] : ['validUntil', validUntil];
  if (given === undefined) return undefined;
  const { from, until } = named(path, given, timeZone);
  // The last millisecond of a day; of a moment, itself.
  const chosen = validUntil === undefined ? from : new Date(until.getTime() - 1);
  const problem = isPast(chosen, now)
    ? 'debe estar en el futuro'
    : chosen > expiryAfter(now, MAX_VALIDITY_DAYS, timeZone)
      ? `debe estar a lo más a ${MAX_VALIDITY_DAYS} días`
      : undefined;
  if (problem) throw invalidInput([{ path, message: problem }]);
  return chosen;
}
