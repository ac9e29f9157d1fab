import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { emptyState } from '../empty-state.ts';
import { shortDay } from '../figures.ts';
import { heading } from '../layout.ts';
import { table } from '../tables.ts';
import { activeChip } from './words.ts';

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  /** Only its last characters. */
  readonly secret: string;
  readonly createdAt: string;
}

const TITLE = 'Webhooks';
export const PATH = '/app/webhooks';
const NEW = { label: 'Nuevo webhook', href: `${PATH}/new` };

/** The addresses that receive the events of the business. */
export function webhookListPage(
  webhooks: readonly (Webhook & { readonly _count: { readonly deliveries: number } })[],
  timeZone: TimeZone,
): { readonly title: string; readonly body: Html } {
  const lead = html`Un webhook avisa a otro sistema en cuanto algo sucede. Cómo comprobar su firma está en la
    <a href="/docs">documentación</a>.`;
  const body =
    webhooks.length === 0
      ? html`${heading(TITLE, { lead })}
        ${emptyState({
          title: 'Todavía no hay webhooks',
          text: 'Agregue la dirección de su contabilidad, su CRM o sus propios programas, y elija de qué se enteran.',
          action: NEW,
        })}`
      : html`${heading(TITLE, { lead, actions: [html`<a class="button button-main" href="${NEW.href}">${NEW.label}</a>`] })}
        ${table(
          TITLE,
          [
            { label: 'Dirección' },
            { label: 'Estado' },
            { label: 'Eventos' },
            { label: 'Envíos', isNumber: true },
            { label: 'Creado', isMinor: true },
          ],
          webhooks.map(({ id, url, events, isActive, createdAt, _count }) => ({
            cells: [
              html`<a href="${PATH}/${id}">${url}</a>`,
              activeChip(isActive),
              html`${countOf(events.length)}<span class="sub"
                  >${events.slice(0, 3).join(', ')}${events.length > 3 ? '…' : null}</span
                >`,
              _count.deliveries.toLocaleString('es-MX'),
              shortDay(createdAt, timeZone),
            ],
          })),
        )}`;
  return { title: TITLE, body };
}

export const countOf = (events: number): string => (events === 1 ? '1 evento' : `${events} eventos`);
