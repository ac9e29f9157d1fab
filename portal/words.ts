import { type Html, html } from '../domain/html.ts';
import { formatDay, formatMoment, formatUntil, type Reading } from '../domain/format.ts';
import { textsOf } from '../domain/texts/texts.ts';
import { dayOf, daysBetween } from '../domain/zone.ts';

/** Moments and days in words. */

/** "15 de diciembre de 2026, 18:04 (UTC-6)": by the business's clock, whether a script runs or not. */
export const moment = (iso: string, reading: Reading): Html =>
  html`<time datetime="${iso}">${formatMoment(iso, reading)}</time>`;

export const day = (iso: string, reading: Reading): Html =>
  html`<time datetime="${iso}">${formatDay(iso, reading)}</time>`;

/** Until when something holds. */
export const until = (iso: string, reading: Reading): Html =>
  html`<time datetime="${iso}">${formatUntil(iso, reading)}</time>`;

/** How long a quote is still good for, by days of the business, as its date is shown. */
export function remaining(
  { expiresAt, timeZone, locale }: Reading & { readonly expiresAt: string },
  now: Date,
): string {
  const days = daysBetween(dayOf(now, timeZone), dayOf(new Date(expiresAt), timeZone));
  const { expiresToday, expiresTomorrow, daysLeft } = textsOf(locale).page;
  if (days <= 0) return expiresToday;
  return days === 1 ? expiresTomorrow : daysLeft(days);
}
