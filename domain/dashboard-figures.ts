import { Decimal } from './money.ts';
import type { QuoteStatus } from './quote-status.ts';

/** How the dashboard counts, labels and colours its figures. Never NaN, Infinity or -0. */

/** Statuses that count as won and as lost. */
export const WON: readonly QuoteStatus[] = ['WON', 'ACCEPTED'];
export const LOST: readonly QuoteStatus[] = ['LOST', 'REJECTED'];

/** Labels for people, with the colour of the slice. */
export const STATUS_LOOKS: Readonly<Record<QuoteStatus, { readonly name: string; readonly color: string }>> = {
  GENERATED: { name: 'Generadas', color: '#64748b' },
  SENT: { name: 'Enviadas', color: '#2563eb' },
  WON: { name: 'Ganadas', color: '#16a34a' },
  LOST: { name: 'Perdidas', color: '#dc2626' },
  ACCEPTED: { name: 'Aceptadas', color: '#0d9488' },
  REJECTED: { name: 'Rechazadas', color: '#ea580c' },
};

/** A part of a whole in percent with one decimal; 0 when the whole is 0. */
export const rateOf = (part: number, whole: number): number => (whole === 0 ? 0 : percent(part, whole));

/** Change from before to now in percent with one decimal; 0 when both are 0, 100 when only before is 0. */
export function trendOf(current: number, previous: number): number {
  if (previous === 0) return current === 0 ? 0 : 100;
  return percent(current - previous, previous);
}

function percent(part: number, whole: number): number {
  const number = new Decimal(part).div(whole).times(100).toDecimalPlaces(1).toNumber();
  return number === 0 ? 0 : number;
}
