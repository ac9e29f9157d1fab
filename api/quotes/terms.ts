import { invalidInput } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LONGEST_DAYS = 365;

/** Throws a 400 for a code that is no ISO 4217 currency. */
export function assertCurrency(currency: string): void {
  if (!isCurrency(currency)) throw invalidInput([{ path: 'currency', message: 'debe ser un código ISO 4217' }]);
}

/** The given moment, if it lies in the future and within a year; else the business's validity from now on. */
export function expiryFrom(given: string | undefined, validityDays: number, now = Date.now()): Date {
  if (given === undefined) return new Date(now + validityDays * DAY_MS);
  const expiresAt = new Date(given);
  const problem =
    expiresAt.getTime() <= now
      ? 'debe estar en el futuro'
      : expiresAt.getTime() > now + LONGEST_DAYS * DAY_MS
        ? `debe estar a lo más a ${LONGEST_DAYS} días`
        : undefined;
  if (problem) throw invalidInput([{ path: 'expiresAt', message: problem }]);
  return expiresAt;
}
