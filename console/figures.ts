import { formatDay, formatMoment, formatMoney } from '../domain/format.ts';
import { type Html, html } from '../domain/html.ts';
import type { TimeZone } from '../domain/zone.ts';

/** Amounts and dates as the people of a business read them. */

const LOCALE = 'es-MX';

/** "$1,160.00 MXN" */
export const money = (amount: string, currency: string): string => formatMoney(amount, currency, LOCALE);

/** "15 de diciembre de 2026", in the business's time zone. */
export const day = (iso: string, timeZone: TimeZone): Html =>
  html`<time datetime="${iso}">${formatDay(iso, { timeZone, locale: LOCALE })}</time>`;

/** "15 de diciembre de 2026, 18:04 (UTC-6)" */
export const moment = (iso: string, timeZone: TimeZone): Html =>
  html`<time datetime="${iso}">${formatMoment(iso, { timeZone, locale: LOCALE })}</time>`;

const dayFormats = new Map<TimeZone, Intl.DateTimeFormat>();
const momentFormats = new Map<TimeZone, Intl.DateTimeFormat>();

function formatted(formats: Map<TimeZone, Intl.DateTimeFormat>, iso: string, timeZone: TimeZone, time: object): Html {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone, ...time });
  formats.set(timeZone, format);
  return html`<time datetime="${iso}">${format.format(new Date(iso))}</time>`;
}

/** "15 dic 2026", for tables and lists. */
export const shortDay = (iso: string, timeZone: TimeZone): Html => formatted(dayFormats, iso, timeZone, {});

/** "15 dic 2026, 18:04", for lists. */
export const shortMoment = (iso: string, timeZone: TimeZone): Html =>
  formatted(momentFormats, iso, timeZone, { timeStyle: 'short', hourCycle: 'h23' });
