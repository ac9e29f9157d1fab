import { type Html, html } from '../domain/html.ts';
import { formatDate } from '../domain/format.ts';

/** Moments and days in words. */

const DAY_MS = 86_400_000;
const dayOf = (date: Date): number => Math.floor(date.getTime() / DAY_MS);

/** "15 de diciembre de 2026, 18:04 UTC"; the page's script puts it into the reader's own time. */
export function moment(iso: string): Html {
  const time = new Date(iso).toISOString().slice(11, 16);
  return html`<time datetime="${iso}" data-moment>${formatDate(iso)}, ${time} UTC</time>`;
}

export const day = (iso: string): Html => html`<time datetime="${iso}">${formatDate(iso)}</time>`;

/** How long a quote is still good for, by days of UTC, as its date is shown. */
export function remaining(expiresAt: string, now: Date): string {
  const days = dayOf(new Date(expiresAt)) - dayOf(now);
  if (days <= 0) return 'Vence hoy';
  return days === 1 ? 'Vence mañana' : `Quedan ${days} días`;
}

/** 18 digits in the groups that banks print: 012 345 67890123456 7 */
export const clabeGroups = (clabe: string): string =>
  /^\d{18}$/.test(clabe) ? `${clabe.slice(0, 3)} ${clabe.slice(3, 6)} ${clabe.slice(6, 17)} ${clabe.slice(17)}` : clabe;
