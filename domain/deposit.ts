import { Decimal, type DecimalInput, type DecimalString, minorUnits } from './money.ts';
import { percentOf } from './quote-totals.ts';

/** The part of a quote that is due in advance. No payment is taken. */

export const DEPOSIT_TYPES = ['percent', 'amount'] as const;

export interface Deposit {
  readonly type: (typeof DEPOSIT_TYPES)[number];
  readonly value: number;
  readonly note: string | null;
}

/** What a deposit of a quote comes to. */
export const depositAmount = (
  { type, value }: Deposit,
  { total, currency }: { total: DecimalString; currency: string },
): Decimal => (type === 'percent' ? percentOf(value, total, currency) : new Decimal(value));

/** What is wrong with a deposit of a quote with that total, if anything. */
export function depositProblem(
  { type, value }: Deposit,
  { total, currency }: { total: DecimalString; currency: string },
): string | undefined {
  if (type === 'percent') return value > 100 ? 'debe ser menor o igual que 100' : undefined;
  const amount = new Decimal(value);
  if (amount.greaterThan(total)) return 'debe ser menor o igual que el total';
  return amount.decimalPlaces() > minorUnits(currency) ? `no puede tener tantos decimales en ${currency}` : undefined;
}

/** The deposit of a quote whose total became lower: an amount is at most the total. */
export const depositWithin = (deposit: Deposit, total: DecimalInput): Deposit =>
  deposit.type === 'amount' && new Decimal(deposit.value).greaterThan(total)
    ? { ...deposit, value: new Decimal(total).toNumber() }
    : deposit;
