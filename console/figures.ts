import { formatDay, formatMoment, formatMoney, formatUntil } from '../domain/format.ts';
import { type Html, html } from '../domain/html.ts';
import { FORMAT_RULES } from '../domain/format-rules.ts';
import { localTime, type TimeZone } from '../domain/zone.ts';

/** Amounts and dates as the people of a business read them. */

const LOCALE = 'es-MX';

/** "$1,160.00 MXN" */
export const money = (amount: string, currency: string): string => formatMoney(amount, currency, LOCALE);

/** "15 de diciembre de 2026", in the business's time zone. */
export const day = (iso: string, timeZone: TimeZone): Html =>
  html`<time datetime="${iso}">${formatDay(iso, { timeZone, locale: LOCALE })}</time>`;

/** "15 dic 2026": for tables. */
export function shortDay(iso: string, timeZone: TimeZone): Html {
  const { year, month, day: number } = localTime(new Date(iso), timeZone);
  const name = FORMAT_RULES[LOCALE].months[month - 1] ?? '';
  return html`<time datetime="${iso}">${number} ${name.slice(0, 3)} ${year}</time>`;
}

/** "15 de diciembre de 2026, 18:05", in the business's time zone. */
export const moment = (iso: string, timeZone: TimeZone): Html =>
  html`<time datetime="${iso}">${formatMoment(iso, { timeZone, locale: LOCALE })}</time>`;

/** The last moment of something: the day alone if it is the end of that day. */
export const until = (iso: string, timeZone: TimeZone): Html =>
  html`<time datetime="${iso}">${formatUntil(iso, { timeZone, locale: LOCALE })}</time>`;
