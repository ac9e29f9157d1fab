import { EVENTS, SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import { type Html, html } from '../../domain/html.ts';
import { fieldSet } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';

interface WebhookFormView {
  readonly form: FormState;
  readonly title: string;
  readonly action: string;
  readonly submit: string;
  readonly cancel: string;
  readonly isNew: boolean;
}

const LABELS = { url: 'Dirección (URL)', events: 'Eventos' };

/** The form of a webhook. */
export function webhookFormPage(view: WebhookFormView): { readonly title: string; readonly body: Html } {
  const { form, title, action, submit, cancel, isNew } = view;
  const fields = fieldSet(form, LABELS);
  const body = html`${heading(title, isNew ? { lead: 'Al crearlo verá una sola vez el secreto con el que se firman los envíos.' } : {})}
  ${formElement({
    form,
    action,
    labels: LABELS,
    submit,
    cancel,
    body: html`<div class="card">
        ${fields.text('url', {
          type: 'url',
          isRequired: true,
          maxlength: 2048,
          placeholder: 'https://',
          hint: 'Recibe un POST con JSON. Debe ser pública y contestar 2xx en pocos segundos.',
        })}
      </div>
      ${eventChoices(form)}`,
  })}`;
  return { title, body };
}

function eventChoices(form: FormState): Html {
  const message = form.errors.get('events');
  return html`<fieldset
    class="card"
    id="events"
    ${message === undefined ? null : html`aria-describedby="events-error"`}
  >
    <legend class="visually-hidden">Eventos</legend>
    <h2 aria-hidden="true">Eventos</h2>
    <input type="hidden" name="events" value="" />
    ${message === undefined ? null : html`<p class="error" id="events-error">${message}</p>`}
    <div class="events">
      ${SUBSCRIBABLE_EVENTS.map(
        (event) =>
          html`<label class="check">
            <input
              type="checkbox"
              name="events"
              value="${event}"
              ${form.fields.get('events')?.includes(event) ? html`checked` : null}
            />
            <span>${EVENTS[event].description}<span class="sub code">${event}</span></span>
          </label>`,
      )}
    </div>
  </fieldset>`;
}
