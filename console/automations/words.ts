import type { AutomationAction, AutomationLogStatus, EMAIL_RECIPIENTS, Trigger } from '../../domain/automation.ts';
import type { ConditionField, Operator } from '../../domain/conditions.ts';
import { type Html, html } from '../../domain/html.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';
import { STATUSES } from '../quotes/status.ts';

/** What people read for the members of an automation. */

export const TRIGGER_NAMES: Readonly<Record<Trigger, string>> = {
  QUOTE_CREATED: 'Se crea una cotización',
  QUOTE_SENT: 'Se envía una cotización',
  QUOTE_VIEWED: 'El cliente ve la cotización',
  QUOTE_ACCEPTED: 'El cliente acepta la cotización',
  QUOTE_REJECTED: 'El cliente rechaza la cotización',
  QUOTE_WON: 'Una cotización se marca como ganada',
  QUOTE_LOST: 'Una cotización se marca como perdida',
  QUOTE_EXPIRING: 'Una cotización sin respuesta vence en 24 horas',
};

export type ActionType = AutomationAction['type'];

export const ACTION_NAMES: Readonly<Record<ActionType, string>> = {
  send_email: 'Enviar un correo',
  send_notification: 'Notificar al dueño',
  create_reminder: 'Crear un recordatorio',
  change_status: 'Cambiar el estado',
  add_label: 'Poner una etiqueta',
  fire_webhook: 'Llamar a otro sistema',
};

export const RECIPIENT_NAMES: Readonly<Record<(typeof EMAIL_RECIPIENTS)[number], string>> = {
  client: 'El cliente',
  owner: 'Los dueños del negocio',
  custom: 'Otra dirección',
};

export const FIELD_NAMES: Readonly<Record<ConditionField, string>> = {
  status: 'Estado',
  currency: 'Moneda',
  total: 'Total',
  subtotal: 'Subtotal',
  tax: 'Impuestos',
  shippingCost: 'Envío',
  viewCount: 'Veces vista',
  quoteNumber: 'Número de cotización',
  notes: 'Notas',
  'client.contactName': 'Contacto del cliente',
  'client.companyName': 'Empresa del cliente',
  'client.email': 'Correo del cliente',
  'client.phone': 'Teléfono del cliente',
  'items.productName': 'Producto de alguna partida',
  'items.model': 'Modelo de alguna partida',
  'items.unitPrice': 'Precio unitario de alguna partida',
  'items.quantity': 'Cantidad de alguna partida',
  'items.discountPct': 'Descuento de alguna partida (%)',
};

export const OPERATOR_NAMES: Readonly<Record<Operator, string>> = {
  eq: 'es igual a',
  neq: 'es distinto de',
  gt: 'es mayor que',
  lt: 'es menor que',
  gte: 'es al menos',
  lte: 'es a lo más',
  contains: 'contiene',
  starts_with: 'empieza con',
  is_empty: 'está vacío',
  is_not_empty: 'no está vacío',
};

const RUNS: Readonly<Record<AutomationLogStatus, { readonly label: string; readonly tone: string }>> = {
  TRIGGERED: { label: 'En curso', tone: 'info' },
  COMPLETED: { label: 'Terminada', tone: 'good' },
  FAILED: { label: 'Falló', tone: 'bad' },
};

export function runChip({
  status,
  error,
}: {
  readonly status: AutomationLogStatus;
  readonly error: string | null;
}): Html {
  const { label, tone } = RUNS[status];
  // A run that skips something ends with its reason.
  return status === 'COMPLETED' && error !== null
    ? html`<span class="chip chip-warn">Omitida en parte</span>`
    : html`<span class="chip chip-${tone}">${label}</span>`;
}

export const activeChip = (isActive: boolean): Html =>
  isActive ? html`<span class="chip chip-good">Activa</span>` : html`<span class="chip">Inactiva</span>`;

/** The error of a run, with its actions numbered and named as in the form: «acción 0 (send_email)» is the first. */
export const readableError = (error: string): string =>
  error.replaceAll(/acción (\d+) \((\w+)\)/g, (_, number: string, type: string) => {
    const name = Object.hasOwn(ACTION_NAMES, type) ? ACTION_NAMES[type as ActionType] : type;
    return `acción ${Number(number) + 1} (${name})`;
  });

/** «Total es al menos 10000» */
export function conditionText({
  field,
  operator,
  value,
}: {
  readonly field: ConditionField;
  readonly operator: Operator;
  readonly value?: string | number | null;
}): string {
  const isUnary = operator === 'is_empty' || operator === 'is_not_empty';
  const shown = field === 'status' ? statusName(String(value)) : String(value ?? '');
  return `${FIELD_NAMES[field]} ${OPERATOR_NAMES[operator]}${isUnary ? '' : ` ${shown === '' ? '(vacío)' : shown}`}`;
}

export const statusName = (status: string): string =>
  Object.hasOwn(STATUSES, status) ? STATUSES[status as QuoteStatus].label : status;

/** Units in which people give a delay, longest first. */
export const DELAY_UNITS = [
  { minutes: 1440, one: 'día', many: 'días' },
  { minutes: 60, one: 'hora', many: 'horas' },
  { minutes: 1, one: 'minuto', many: 'minutos' },
] as const;

/** A delay in the longest unit that divides it. */
export function delayParts(minutes: number): { readonly amount: number; readonly unit: (typeof DELAY_UNITS)[number] } {
  const unit = DELAY_UNITS.find((each) => minutes > 0 && minutes % each.minutes === 0) ?? DELAY_UNITS[2];
  return { amount: minutes / unit.minutes, unit };
}

/** «2 días» */
export function delayText(minutes: number): string {
  const { amount, unit } = delayParts(minutes);
  return `${amount.toLocaleString('es-MX')} ${amount === 1 ? unit.one : unit.many}`;
}

export const VARIABLE_NAMES: Readonly<Record<string, string>> = {
  'quote.quoteNumber': 'Número, sin prefijo',
  'quote.displayNumber': 'Número, como lo ve el cliente',
  'quote.status': 'Estado',
  'quote.subtotal': 'Subtotal',
  'quote.tax': 'Impuestos',
  'quote.total': 'Total',
  'quote.currency': 'Moneda',
  'quote.notes': 'Notas',
  'quote.expiresAt': 'Fecha de vencimiento',
  'quote.url': 'Enlace a la página del cliente',
  'client.contactName': 'Contacto del cliente',
  'client.companyName': 'Empresa del cliente',
  'client.email': 'Correo del cliente',
  'client.phone': 'Teléfono del cliente',
  'business.companyName': 'Nombre de su negocio',
  'business.email': 'Correo de su negocio',
  'business.phone': 'Teléfono de su negocio',
  'user.name': 'Quien creó la cotización',
};
