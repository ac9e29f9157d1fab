import { invalidInput } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money.ts';
import { assertFeature, type Plan } from '../../domain/plans.ts';
import { moment } from '../moments.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LONGEST_DAYS = 365;

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

/** The moment that a caller chose. Throws a 400 unless it lies in the future and within a year. */
export function chosenExpiry(given: string, now = Date.now()): Date {
  const expiresAt = moment('expiresAt', given);
  const problem =
    expiresAt.getTime() <= now
      ? 'debe estar en el futuro'
      : expiresAt.getTime() > now + LONGEST_DAYS * DAY_MS
        ? `debe estar a lo más a ${LONGEST_DAYS} días`
        : undefined;
  if (problem) throw invalidInput([{ path: 'expiresAt', message: problem }]);
  return expiresAt;
}

/** When a quote made now expires by the business's validity. */
export const expiryAfter = (validityDays: number): Date => new Date(Date.now() + validityDays * DAY_MS);
