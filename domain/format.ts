import { Decimal, type DecimalString, minorUnits } from './money.ts';

/**
 * Amounts and dates as a Mexican reader expects them: in the PDF, in the mail, in the portal.
 * Everything starts from the exact decimal string; no amount passes through a binary float.
 */

/** Signs that a reader knows. The code always follows, since the same sign belongs to several currencies. */
const SIGNS: Readonly<Record<string, string>> = {
  MXN: '$', USD: '$', CAD: '$', AUD: '$', NZD: '$', ARS: '$', CLP: '$', COP: '$', UYU: '$', DOP: '$',
  EUR: '€', GBP: '£', JPY: '¥', CNY: '¥', BRL: 'R$', PEN: 'S/',
}; // prettier-ignore

const MONTHS = [
  'enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio',
  'julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre',
]; // prettier-ignore

// A plain decimal string is grouped as text: digits are copied, never computed.
const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** The digits of a decimal, grouped by thousands with at least `atLeast` decimals; none is ever dropped but zeros. */
function formatDigits(unsigned: InstanceType<typeof Decimal>, atLeast: number): string {
  const [whole = '0', fraction = ''] = unsigned.toFixed(Math.max(atLeast, unsigned.decimalPlaces())).split('.');
  return fraction ? `${grouped(whole)}.${fraction}` : grouped(whole);
}

/**
 * "$1,160.00 MXN", "€0.125 EUR", "¥1,160 JPY", "-$5.00 MXN"; a currency without a known sign shows its code only.
 * At least the currency's minor units are shown, more when the amount has more (unit prices carry up to six).
 * Throws on text that is no decimal.
 */
export function formatMoney(amount: DecimalString, currency: string): string {
  const exact = new Decimal(amount);
  if (!exact.isFinite()) throw new RangeError('an amount must be finite');
  const sign = exact.isNegative() && !exact.isZero() ? '-' : '';
  return `${sign}${SIGNS[currency] ?? ''}${formatDigits(exact.abs(), minorUnits(currency))} ${currency}`;
}

/** A rate as a percentage: "0.16" → "16 %", "0.0825" → "8.25 %". */
export const formatPercent = (rate: DecimalString): string => `${formatDigits(new Decimal(rate).times(100), 0)} %`;

/** A figure that is already in percent, such as a line's discount: "25.00" → "25 %". */
export const formatPercentPoints = (percent: DecimalString): string => `${formatDigits(new Decimal(percent), 0)} %`;

/** A count with its thousands grouped: 12000 → "12,000". */
export const formatQuantity = (quantity: number): string => formatDigits(new Decimal(quantity), 0);

/** "15 de diciembre de 2026": the UTC day of an ISO 8601 time. Throws a RangeError on text that is no time. */
export function formatDate(iso: string): string {
  const [year, month, day] = new Date(iso).toISOString().slice(0, 10).split('-').map(Number);
  return `${day} de ${MONTHS[(month ?? 1) - 1]} de ${year}`;
}
