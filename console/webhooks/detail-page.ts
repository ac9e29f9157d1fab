import type { DeliveryStatus, NoAnswer } from '../../domain/http-delivery.ts';
import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { confirmed } from '../confirm.ts';
import { moment } from '../figures.ts';
import { actionForm, errorSummary } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { listUrl, pagination } from '../pagination.ts';
import { table } from '../tables.ts';
import { PATH, type Webhook } from './list-page.ts';
import { activeChip, deliveryChip, responseText } from './words.ts';

export interface DeliveryRow {
  readonly id: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  readonly statusCode: number | null;
  readonly errorCode: NoAnswer | null;
  readonly createdAt: string;
  readonly deliveredAt: string | null;
}

/** The change that made a webhook inactive. */
export interface Deactivation {
  readonly at: string;
  /** Undefined when a person did it. */
  readonly reason: 'gone' | 'failing' | undefined;
  /** Null when the service did it. */
  readonly by: string | null;
}

export interface WebhookView {
  readonly webhook: Webhook;
  readonly deactivation: Deactivation | undefined;
  readonly deliveries: readonly DeliveryRow[];
  readonly cursor: string | undefined;
  readonly nextCursor: string | null;
  readonly form: FormState;
  readonly timeZone: TimeZone;
}

const REASONS = {
  gone: 'El endpoint contestó 410: ya no quiere recibir avisos.',
  failing: 'El endpoint llevaba cinco días sin recibir ningún aviso.',
} as const;

/** A webhook with its deliveries. */
export function webhookPage(view: WebhookView): { readonly title: string; readonly body: Html } {
  const { webhook, form } = view;
  const { id, url, isActive } = webhook;
  const path = `${PATH}/${id}`;
  const title = hostOf(url);
  const body = html`${heading(title, {
    lead: activeChip(isActive),
    actions: [
      actionForm({ form, action: `${path}/test`, submit: 'Enviar una prueba' }),
      html`<a class="button button-main" href="${path}/edit">Editar</a>`,
    ],
  })}
  ${errorSummary({ form, labels: {} })} ${isActive ? null : inactive(view)} ${facts(view)} ${deliveries(view)}
  ${administration(view)}`;
  return { title, body };
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

function inactive({ webhook: { id }, deactivation, timeZone }: WebhookView): Html {
  const { at, reason, by } = deactivation ?? {};
  return html`<div class="notice notice-warn">
    <h2>Este webhook está inactivo</h2>
    <p>
      ${reason === undefined ? null : html`${REASONS[reason]} `}${
        at === undefined ? null : html`${by ? `${by} lo desactivó` : 'Se desactivó'} el ${moment(at, timeZone)}. `
      }Lo
      que sucede mientras tanto no se le envía.
    </p>
    ${actionForm({ action: `${PATH}/${id}/activate`, submit: 'Activar' })}
  </div>`;
}

function facts({ webhook: { url, events, secret, createdAt }, timeZone }: WebhookView): Html {
  return html`<div class="card">
    <dl class="rules">
      <div>
        <dt>Dirección</dt>
        <dd>${url}</dd>
      </div>
      <div>
        <dt>Eventos</dt>
        <dd>
          <ul class="codes-inline">
            ${events.map((event) => html`<li><code>${event}</code></li>`)}
          </ul>
        </dd>
      </div>
      <div>
        <dt>Secreto</dt>
        <dd><code>${secret}</code></dd>
      </div>
      <div>
        <dt>Creado</dt>
        <dd>${moment(createdAt, timeZone)}</dd>
      </div>
    </dl>
  </div>`;
}

function deliveries({ webhook: { id }, deliveries: rows, cursor, nextCursor, timeZone }: WebhookView): Html {
  const path = `${PATH}/${id}`;
  return html`<section class="runs" aria-labelledby="deliveries-title">
    <h2 id="deliveries-title">Envíos</h2>
    ${
      rows.length === 0
        ? html`<p class="soft">Ninguno todavía. Con «Enviar una prueba» comprueba que su sistema contesta.</p>`
        : table(
            'Envíos',
            [
              { label: 'Evento' },
              { label: 'Estado' },
              { label: 'Respuesta' },
              { label: 'Creado' },
              { label: 'Entregado' },
            ],
            rows.map((row) => ({
              cells: [
                html`<a href="${path}/deliveries/${row.id}">${row.event}</a>`,
                deliveryChip(row.status),
                responseText(row),
                moment(row.createdAt, timeZone),
                row.deliveredAt === null ? '—' : moment(row.deliveredAt, timeZone),
              ],
            })),
          )
    }
    ${pagination({
      first: cursor === undefined ? undefined : path,
      next: nextCursor === null ? undefined : listUrl(path, { cursor: nextCursor }),
    })}
  </section>`;
}

function administration({ webhook: { id, url, isActive }, form }: WebhookView): Html {
  const path = `${PATH}/${id}`;
  return html`<div class="actions">
    ${isActive ? actionForm({ action: `${path}/deactivate`, submit: 'Desactivar' }) : null}
    ${confirmed({
      form,
      action: `${path}/rotate-secret`,
      label: 'Cambiar el secreto',
      text: 'Se crea un secreto nuevo, que verá una sola vez. El anterior vale 24 horas más en webhook-signature; X-Service-Signature usa ya el nuevo.',
      submit: 'Crear un secreto nuevo',
    })}
    ${confirmed({
      form,
      action: `${path}/delete`,
      label: 'Borrar',
      text: `Se borra el webhook de ${hostOf(url)} con el registro de sus envíos, y los pendientes se cancelan. No se puede deshacer.`,
      submit: 'Borrar el webhook',
    })}
  </div>`;
}
