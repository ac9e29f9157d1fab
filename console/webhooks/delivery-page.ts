import type { NoAnswer } from '../../domain/http-delivery.ts';
import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { moment } from '../figures.ts';
import { actionForm, errorSummary } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { table } from '../tables.ts';
import type { DeliveryRow } from './detail-page.ts';
import { PATH } from './list-page.ts';
import { deliveryChip, responseText } from './words.ts';

export interface DeliveryView {
  readonly delivery: DeliveryRow & {
    readonly webhookId: string;
    readonly payload: object;
    readonly responseBody: string | null;
    readonly attempts: readonly {
      readonly number: number;
      readonly startedAt: string;
      readonly durationMs: number | null;
      readonly statusCode: number | null;
      readonly responseBody: string | null;
      readonly errorCode: NoAnswer | null;
    }[];
  };
  readonly form: FormState;
  readonly timeZone: TimeZone;
}

/** A delivery: what was sent, and what the endpoint answered to each attempt. */
export function deliveryPage({ delivery, form, timeZone }: DeliveryView): {
  readonly title: string;
  readonly body: Html;
} {
  const { id, webhookId, event, status, createdAt, payload, attempts } = delivery;
  const path = `${PATH}/${webhookId}`;
  const title = `Envío de ${event}`;
  const body = html`${heading(title, {
      lead: html`${deliveryChip(status)} ${moment(createdAt, timeZone)}`,
      actions: [
        html`<a class="button button-plain" href="${path}">Volver al webhook</a>`,
        actionForm({
          form,
          action: `${path}/deliveries/${id}/replay`,
          submit: 'Repetir el envío',
          style: 'button-main',
        }),
      ],
    })}
    ${errorSummary({ form, labels: {} })}
    <section class="runs" aria-labelledby="attempts-title">
      <h2 id="attempts-title">Intentos</h2>
      ${
        attempts.length === 0
          ? html`<p class="soft">Ninguno todavía.</p>`
          : table(
              'Intentos',
              [{ label: 'Intento' }, { label: 'Empezó' }, { label: 'Duró', isNumber: true }, { label: 'Respuesta' }],
              attempts.map((attempt) => ({
                cells: [
                  String(attempt.number),
                  moment(attempt.startedAt, timeZone),
                  attempt.durationMs === null ? '—' : `${attempt.durationMs.toLocaleString('es-MX')} ms`,
                  html`${responseText(attempt)}${responseBody(attempt)}`,
                ],
              })),
            )
      }
    </section>
    <section class="card" aria-labelledby="payload-title">
      <h2 id="payload-title">Lo enviado</h2>
      <pre class="code-block" tabindex="0" aria-labelledby="payload-title">${JSON.stringify(payload, null, 2)}</pre>
    </section>`;
  return { title, body };
}

const responseBody = ({ responseBody: text }: { readonly responseBody: string | null }): Html | null =>
  text === null || text === ''
    ? null
    : html`<pre class="code-block response" tabindex="0" role="group" aria-label="Respuesta">${text}</pre>`;
