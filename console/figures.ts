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

/** The last moment of something: the day alone if it is the end of that day. */
export const until = (iso: string, timeZone: TimeZone): Html =>
  html`<time datetime="${iso}">${formatUntil(iso, { timeZone, locale: LOCALE })}</time>`;

/** "15 dic 2026": for tables. */
export const shortDay = (iso: string, timeZone: TimeZone): Html =>
  html`<time datetime="${iso}">${shortDate(iso, timeZone)}</time>`;

/** "15 dic 2026, 18:05", in the business's time zone, which its people know. */
export const moment = (iso: string, timeZone: TimeZone): Html =>
  html`<time datetime="${iso}"
    >${shortDate(iso, timeZone)}, ${localTime(new Date(iso), timeZone).time.slice(0, 'HH:mm'.length)}</time
  >`;

/** "15 de diciembre de 2026, 18:05 (UTC-6)": for evidence, which people of other zones read. */
export const momentWithZone = (iso: string, timeZone: TimeZone): Html =>
  html`<time datetime="${iso}">${formatMoment(iso, { timeZone, locale: LOCALE })}</time>`;

function shortDate(iso: string, timeZone: TimeZone): string {
  const { year, month, day: number } = localTime(new Date(iso), timeZone);
  return `${number} ${(FORMAT_RULES[LOCALE].months[month - 1] ?? '').slice(0, 3)} ${year}`;
}
