import { Decimal, type DecimalString, minorUnits } from './money.ts';
import { FORMAT_RULES } from './format-rules.ts';
import type { Locale } from './locale.ts';
import { isEndOfDay, localTime, type TimeZone } from './zone.ts';

/**
 * The one formatter of amounts and dates, as readers of each language expect them: PDF, mail, page, certificate, consent
 * text, notifications and automation variables. Amounts start from the exact decimal string and never pass through a
 * binary float. Dates are days of the business.
 */

/** Currency signs. The code always follows, because several currencies share a sign. */
const SIGNS: Readonly<Record<string, string>> = {
  MXN: '$', USD: '$', CAD: '$', AUD: '$', NZD: '$', ARS: '$', CLP: '$', COP: '$', UYU: '$', DOP: '$', HKD: '$', SGD: '$',
  TWD: '$', BZD: '$', BSD: '$', BBD: '$', JMD: '$', TTD: '$', XCD: '$', CUP: '$', NIO: 'C$', BRL: 'R$', PEN: 'S/',
  GTQ: 'Q', HNL: 'L', CRC: '₡', PYG: '₲', BOB: 'Bs', EUR: '€', GBP: '£', JPY: '¥', CNY: '¥', KRW: '₩', INR: '₹',
  ILS: '₪', VND: '₫', UAH: '₴', TRY: '₺', PHP: '₱', NGN: '₦', RUB: '₽', KZT: '₸',
}; // prettier-ignore

// A plain decimal string is grouped as text: digits are copied, never computed.
const grouped = (digits: string, separator: string): string => digits.replace(/\B(?=(\d{3})+$)/g, separator);

/** The digits of a decimal, grouped by thousands, with at least `atLeast` decimals; only trailing zeros are dropped. */
function formatDigits(unsigned: InstanceType<typeof Decimal>, atLeast: number, locale: Locale): string {
  const { thousands, decimal } = FORMAT_RULES[locale];
  const [whole = '0', fraction = ''] = unsigned.toFixed(Math.max(atLeast, unsigned.decimalPlaces())).split('.');
  const digits = grouped(whole, thousands);
  return fraction ? `${digits}${decimal}${fraction}` : digits;
}

/**
 * "$1,160.00", "€0.125": an amount whose currency code stands nearby. Shows at least the currency's minor units, more
 * when the amount has more (unit prices have up to six). Throws on text that is no decimal.
 */
export function formatAmount(amount: DecimalString, currency: string, locale: Locale): string {
  const exact = new Decimal(amount);
  if (!exact.isFinite()) throw new RangeError('an amount must be finite');
  const minus = exact.isNegative() && !exact.isZero() ? '-' : '';
  const sign = SIGNS[currency];
  const before = sign === undefined ? '' : `${sign}${FORMAT_RULES[locale].afterSign}`;
  return `${minus}${before}${formatDigits(exact.abs(), minorUnits(currency), locale)}`;
}

/**
 * "$1,160.00 MXN", "€0.125 EUR", "¥1,160 JPY", "-$5.00 MXN"; a currency without a known sign shows its code only.
 * Throws on text that is no decimal.
 */
export const formatMoney = (amount: DecimalString, currency: string, locale: Locale): string =>
  `${formatAmount(amount, currency, locale)} ${currency}`;

/** A rate as a percentage: "0.16" → "16 %", "0.0825" → "8.25 %". */
export const formatPercent = (rate: DecimalString, locale: Locale): string =>
  `${formatDigits(new Decimal(rate).times(100), 0, locale)}${FORMAT_RULES[locale].percent}`;

/**
 * A figure that is already in percent, such as a line's discount: "25.00" → "25 %", "33.3333" → "33.33 %". Rounded to
 * two decimals, unless that would turn it into 0 or 100: "0.0001" and "99.9999" are shown as they are.
 */
export function formatPercentPoints(percent: DecimalString, locale: Locale): string {
  const exact = new Decimal(percent);
  const rounded = exact.toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
  const tellsAll = rounded.isZero() || rounded.abs().equals(100);
  return `${formatDigits(tellsAll ? exact : rounded, 0, locale)}${FORMAT_RULES[locale].percent}`;
}

/** A count with its thousands grouped: 12000 → "12,000". */
export const formatQuantity = (quantity: number, locale: Locale): string =>
  formatDigits(new Decimal(quantity), 0, locale);

/** "350 kB", "1.2 MB": the size of a file, in decimal units and at least 1 kB. */
export function formatSize(bytes: number, locale: Locale): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1000));
  if (kilobytes < 1000) return `${formatDigits(new Decimal(kilobytes), 0, locale)} kB`;
  return `${formatDigits(new Decimal(kilobytes).div(1000).toDecimalPlaces(1), 0, locale)} MB`;
}

/** Whose time zone and language apply. A drawing of a quote is one. */
export interface Reading {
  readonly timeZone: TimeZone;
  readonly locale: Locale;
}

/** "15 de diciembre de 2026": the business's day of an ISO 8601 time. Throws a RangeError on text that is no time. */
export function formatDay(iso: string, { timeZone, locale }: Reading): string {
  const { year, month, day } = localTime(new Date(iso), timeZone);
  const { date, months } = FORMAT_RULES[locale];
  return date(day, months[month - 1] ?? '', year);
}

/** Until when something is valid: the day alone if it is the end of that day, else with the hour and the zone. */
export const formatUntil = (iso: string, reading: Reading): string =>
  isEndOfDay(new Date(iso), reading.timeZone) ? formatDay(iso, reading) : formatMoment(iso, reading);

/** "15 de diciembre de 2026, 18:04 (UTC-6)" */
export const formatMoment = (iso: string, reading: Reading): string => momentOf(iso, reading, 'HH:mm'.length);

/** As above, with seconds. */
export const formatExactMoment = (iso: string, reading: Reading): string => momentOf(iso, reading, 'HH:mm:ss'.length);

function momentOf(iso: string, reading: Reading, length: number): string {
  const { time, offset } = localTime(new Date(iso), reading.timeZone);
  const { moment } = FORMAT_RULES[reading.locale];
  return moment(formatDay(iso, reading), time.slice(0, length), zoneSign(offset));
}

/** "-06:00" → "UTC-6", "+05:30" → "UTC+5:30", "+00:00" → "UTC" */
const zoneSign = (offset: string): string =>
  `UTC${offset
    .replace(/^([+-])0?(\d+)/, '$1$2')
    .replace(/:00$/, '')
    .replace(/^[+-]0$/, '')}`;
