import { Decimal, type DecimalString } from '../../domain/money.ts';

/** How a Mexican reader writes numbers, money and dates. Numbers are formatted as text: never through a float. */

/** "1234567.50" → "1,234,567.50" */
export const grouped = (decimal: DecimalString): string =>
  decimal.replace(/^(-?)(\d+)/, (_all, sign: string, whole: string) => sign + whole.replace(/\B(?=(\d{3})+$)/g, ','));

// They never change, and asking for one costs more than drawing the row that it stands in.
const signs = new Map<string, string>();

/** "$" for MXN, "€" for EUR, nothing where a currency has no sign of its own. */
export function currencySign(currency: string): string {
  const known = signs.get(currency);
  if (known !== undefined) return known;
  const parts = new Intl.NumberFormat('es-MX', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const found = parts.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? '';
  const sign = found === currency ? '' : found;
  signs.set(currency, sign);
  return sign;
}

/** $1,160.00 */
export const amount = (decimal: DecimalString, currency: string): string => {
  const [minus, digits] = decimal.startsWith('-') ? ['-', decimal.slice(1)] : ['', decimal];
  return minus + currencySign(currency) + grouped(digits);
};

/** $1,160.00 MXN */
export const amountWithCode = (decimal: DecimalString, currency: string): string =>
  `${amount(decimal, currency)} ${currency}`;

/** "25.00" → "25 %", "12.50" → "12.5 %" */
export const percent = (decimal: DecimalString): string => `${grouped(new Decimal(decimal).toFixed())} %`;

/** "0.16" → "16 %" */
export const rate = (decimal: DecimalString): string => percent(new Decimal(decimal).times(100).toFixed());

const longDate = new Intl.DateTimeFormat('es-MX', { dateStyle: 'long', timeZone: 'UTC' });

/** "2026-03-05T10:00:00Z" → "5 de marzo de 2026", the day in UTC. */
export const day = (iso: string): string => longDate.format(new Date(iso));

const time = new Intl.DateTimeFormat('es-MX', { timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' });

/** "2026-03-05T18:04:09Z" → "5 de marzo de 2026 a las 18:04 UTC" */
export const moment = (iso: string): string => `${day(iso)} a las ${time.format(new Date(iso))} UTC`;

const clock = new Intl.DateTimeFormat('es-MX', { timeStyle: 'medium', hourCycle: 'h23', timeZone: 'UTC' });

/** "2026-03-05T18:04:09Z" → "5 de marzo de 2026, 18:04:09 UTC" */
export const exactMoment = (iso: string): string => `${day(iso)}, ${clock.format(new Date(iso))} UTC`;
