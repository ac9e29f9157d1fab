import type { DeliveryStatus, NoAnswer } from '../../domain/http-delivery.ts';
import { type Html, html } from '../../domain/html.ts';

const STATUSES: Readonly<Record<DeliveryStatus, { readonly label: string; readonly tone: string }>> = {
  PENDING: { label: 'Pendiente', tone: 'info' },
  DELIVERED: { label: 'Entregado', tone: 'good' },
  EXHAUSTED: { label: 'Sin entregar', tone: 'bad' },
  SKIPPED: { label: 'Omitido', tone: 'warn' },
  CANCELLED: { label: 'Cancelado', tone: 'plain' },
};

export function deliveryChip(status: DeliveryStatus): Html {
  const { label, tone } = STATUSES[status];
  return html`<span class="chip chip-${tone}">${label}</span>`;
}

/** Why there was no response. */
const NO_ANSWERS: Readonly<Record<NoAnswer, string>> = {
  dns: 'El nombre del servidor no existe',
  refused: 'El servidor rechazó la conexión',
  reset: 'El servidor cortó la conexión',
  timeout: 'El servidor no contestó a tiempo',
  tls: 'El certificado del servidor no es válido',
  blocked_address: 'La dirección no es pública',
  protocol: 'El servidor no contestó en HTTP',
  unreachable: 'No se pudo llegar al servidor',
};

/** What the endpoint answered: «200», or why it did not. */
export function responseText({
  statusCode,
  errorCode,
}: {
  readonly statusCode: number | null;
  readonly errorCode: NoAnswer | null;
}): string {
  if (errorCode !== null) return NO_ANSWERS[errorCode];
  if (statusCode === null) return 'Sin respuesta todavía';
  return statusCode === 0 ? 'Sin respuesta' : `HTTP ${statusCode}`;
}

export const activeChip = (isActive: boolean): Html =>
  isActive ? html`<span class="chip chip-good">Activo</span>` : html`<span class="chip chip-warn">Inactivo</span>`;
