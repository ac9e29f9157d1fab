import { type Html, html } from '../../domain/html.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';

/** What people read for each status, and its tone. */
export const STATUSES: Readonly<Record<QuoteStatus, { readonly label: string; readonly tone: string }>> = {
  GENERATED: { label: 'Sin enviar', tone: 'plain' },
  SENT: { label: 'Enviada', tone: 'info' },
  WON: { label: 'Ganada', tone: 'good' },
  LOST: { label: 'Perdida', tone: 'bad' },
  ACCEPTED: { label: 'Aceptada', tone: 'good' },
  REJECTED: { label: 'Rechazada', tone: 'bad' },
};

export function statusChip(status: QuoteStatus, isExpired: boolean): Html {
  const { label, tone } = STATUSES[status];
  return html`<span class="chip chip-${tone}">${label}</span>${
      isExpired ? html` <span class="chip chip-warn">Vencida</span>` : null
    }`;
}
