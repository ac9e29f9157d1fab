import { type Html, html } from '../domain/html.ts';
import { formatDay, formatMoment, formatUntil, type Reading } from '../domain/format.ts';
import { textsOf } from '../domain/texts/texts.ts';
import { dayOf, daysBetween } from '../domain/zone.ts';

/** Formats instants and days in words. */

/** The text with its time zones unbroken: browsers break "(UTC-6)" at its hyphen. */
export const withWholeZones = (text: string): Html =>
  html`${text.split(/(\(UTC[^)]*\))/).map((part, at) => (at % 2 ? html`<span class="whole">${part}</span>` : html`${part}`))}`;

/** "15 de diciembre de 2026, 18:04 (UTC-6)", in the time zone of the business, which needs no script. */
export const moment = (iso: string, reading: Reading): Html =>
  html`<time datetime="${iso}">${withWholeZones(formatMoment(iso, reading))}</time>`;

export const day = (iso: string, reading: Reading): Html =>
  html`<time datetime="${iso}">${formatDay(iso, reading)}</time>`;

/** The end of a validity, in words. */
export const until = (iso: string, reading: Reading): Html =>
  html`<time datetime="${iso}">${withWholeZones(formatUntil(iso, reading))}</time>`;

/** The remaining validity in days of the business, consistent with the shown date. */
export function remaining(
  { expiresAt, timeZone, locale }: Reading & { readonly expiresAt: string },
  now: Date,
): string {
  const days = daysBetween(dayOf(now, timeZone), dayOf(new Date(expiresAt), timeZone));
  const { expiresToday, expiresTomorrow, daysLeft } = textsOf(locale).page;
  if (days <= 0) return expiresToday;
  return days === 1 ? expiresTomorrow : daysLeft(days);
}
