import { type Html, html } from '../../domain/html.ts';
import { can } from '../../domain/permissions.ts';
import { canMove, isFinal, type QuoteStatus } from '../../domain/quote-status.ts';
import { until } from '../figures.ts';
import { fieldSet } from '../forms/fields.ts';
import { actionForm, formElement, hiddenParts } from '../forms/form.ts';
import { valueOf } from '../forms/form-state.ts';
import { listUrl } from '../pagination.ts';
import type { QuoteDetailView } from './detail-page.ts';
import { QUOTES_PATH } from './filters.ts';
import { labelDot } from './labels.ts';
import { quotePath, recipientOf } from './quote-frame.ts';
import type { QuoteDetail } from './view.ts';

/** The cards above and beside the document. */

const MOVES: readonly { readonly to: QuoteStatus; readonly label: string }[] = [
  { to: 'SENT', label: 'Marcar como enviada' },
  { to: 'WON', label: 'Marcar como ganada' },
  { to: 'LOST', label: 'Marcar como perdida' },
];

/** The status with its next step, and the moves that an owner may make. */
export function statusCard({ quote, reader, formOf }: QuoteDetailView): Html {
  const { status, viewCount, version } = quote;
  const moves = can(reader.role, 'quotes:read_all') ? MOVES.filter(({ to }) => canMove('member', status, to)) : [];
  return html`<section class="card status-strip" aria-labelledby="estado">
    <div>
      <h2 id="estado">${nextStep(quote)}</h2>
      <p class="soft">
        Versión ${version} ·
        ${viewCount === 1 ? '1 vista de su cliente' : `${viewCount.toLocaleString('es-MX')} vistas de su cliente`} · le
        atiende ${quote.user.name}
      </p>
    </div>
    ${
      moves.length === 0
        ? null
        : html`<div class="actions">
            ${moves.map(({ to, label }) =>
              actionForm({
                form: formOf('status'),
                action: quotePath(quote, 'status'),
                submit: label,
                body: html`<input type="hidden" name="status" value="${to}" />`,
              }),
            )}
          </div>`
    }
  </section>`;
}

function nextStep({ status, isExpired }: QuoteDetail): string {
  if (isExpired) return 'Ya no puede aceptarse. Cambie la vigencia para reabrirla.';
  return {
    GENERATED: 'Su cliente todavía no la recibe.',
    SENT: 'Falta la respuesta de su cliente.',
    ACCEPTED: 'Su cliente la aceptó y la firmó.',
    REJECTED: 'Su cliente la rechazó.',
    WON: 'Usted la cerró como ganada.',
    LOST: 'Usted la cerró como perdida.',
  }[status];
}

export function clientCard(quote: QuoteDetail): Html {
  const { id, contactName, companyName, email, phone } = quote.client;
  return html`<section class="card contact-card" aria-labelledby="cliente">
    <h2 id="cliente">Cliente</h2>
    <p><a href="/app/clients/${id}">${recipientOf(quote)}</a></p>
    ${companyName === null ? null : html`<p>${contactName}</p>`}
    ${email === null ? html`<p class="soft">Sin correo electrónico</p>` : html`<p><a href="mailto:${email}">${email}</a></p>`}
    ${phone === null ? null : html`<p>${phone}</p>`}
    <p><a href="${listUrl(QUOTES_PATH, { clientId: id })}">Ver sus cotizaciones</a></p>
  </section>`;
}

export const VALIDITY_LABELS = { validUntil: 'Vigente hasta', expiresAt: 'Vigente hasta' };

/** Until when the quote can be accepted, with a form while it is open. */
export function validityCard({ quote, reader, formOf }: QuoteDetailView): Html {
  const form = formOf('validity');
  const isEditable = !isFinal(quote.status) && can(reader.role, 'quotes:create');
  return html`<section class="card" aria-labelledby="vigencia">
    <h2 id="vigencia">Vigencia</h2>
    <p>${quote.isExpired ? 'Venció el' : 'Vigente hasta el'} ${until(quote.expiresAt, reader.timeZone)}</p>
    ${
      isEditable
        ? html`<details ${form.refusal !== undefined || form.errors.size > 0 ? html`open` : null}>
            <summary>Cambiar la vigencia</summary>
            ${formElement({
              form,
              action: quotePath(quote, 'validity'),
              labels: VALIDITY_LABELS,
              submit: 'Guardar vigencia',
              current: quotePath(quote),
              body: fieldSet(form, VALIDITY_LABELS).text('validUntil', { type: 'date', isRequired: true }),
            })}
          </details>`
        : null
    }
  </section>`;
}

/** The labels of the quote; others can be added. */
export function labelsCard({ quote, reader, labels, formOf }: QuoteDetailView): Html {
  const canWrite = can(reader.role, 'quotes:create');
  const added = new Set(quote.labels.map(({ id }) => id));
  const others = labels.filter(({ id }) => !added.has(id));
  const form = formOf('add-label');
  return html`<section class="card" aria-labelledby="etiquetas">
    <h2 id="etiquetas">Etiquetas</h2>
    ${
      quote.labels.length === 0
        ? html`<p class="soft">${labels.length === 0 ? NO_LABELS : 'Sin etiquetas.'}</p>`
        : html`<ul class="label-list">
            ${quote.labels.map(
              ({ id, name, color }) =>
                html`<li>
                  <span class="label-name">${labelDot(color)}${name}</span>
                  ${
                    canWrite
                      ? actionForm({
                          form: formOf('remove-label'),
                          action: quotePath(quote, 'remove-label'),
                          submit: html`Quitar<span class="visually-hidden"> la etiqueta ${name}</span>`,
                          style: 'button-quiet',
                          body: html`<input type="hidden" name="labelId" value="${id}" />`,
                        })
                      : null
                  }
                </li>`,
            )}
          </ul>`
    }
    ${
      others.length === 0 || !canWrite
        ? null
        : html`<form class="inline-form" method="post" action="${quotePath(quote, 'add-label')}" data-once>
            ${hiddenParts(form)}
            <label class="visually-hidden" for="labelId">Etiqueta</label>
            <select id="labelId" name="labelId">
              ${others.map(
                ({ id, name }) =>
                  html`<option value="${id}" ${valueOf(form, 'labelId') === id ? html`selected` : null}>
                    ${name}
                  </option>`,
              )}
            </select>
            <button type="submit" class="button button-plain">Agregar</button>
          </form>`
    }
  </section>`;
}

const NO_LABELS = 'Su negocio todavía no tiene etiquetas.';
