import { type Html, html } from '../../domain/html.ts';
import { hasFeature } from '../../domain/plans.ts';
import { MAX_SHARE_MESSAGE, MAX_SHARE_RECIPIENTS } from '../../domain/share.ts';
import { fieldSet } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import { type FormState, rowCount } from '../forms/form-state.ts';
import { quoteFrame, quotePath, type Reader, recipientOf } from './quote-frame.ts';
import type { QuoteDetail } from './view.ts';

export interface Preview {
  readonly fromName: string;
  readonly replyTo: string;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly subject: string;
  readonly text: string;
  readonly attachments: readonly string[];
}

interface Mailbox {
  readonly name: string;
  readonly address: string;
}

interface ShareView {
  readonly quote: QuoteDetail;
  readonly reader: Reader;
  readonly form: FormState;
  /** Addresses of the client's people, as suggestions. */
  readonly contacts: readonly Mailbox[];
  readonly preview?: Preview;
  /** Addresses that the mail server refused, of a mail that was sent. */
  readonly rejected?: readonly string[];
}

const LABELS = { 'to.*': 'Para', 'cc.*': 'Con copia', to: 'Para', cc: 'Con copia', message: 'Mensaje' };

/** The form to mail a quote, with a preview of the mail. */
export function sharePage(view: ShareView) {
  const { quote, reader, form, contacts, preview, rejected } = view;
  const fields = fieldSet(form, LABELS);
  const suggestions = html`list="contactos"`;
  const addresses = (list: 'to' | 'cc', shown: number) => {
    const rows = Math.max(shown, rowCount(form, list) + 1);
    const address = (_: unknown, row: number) =>
      fields.text(`${list}.${row}`, { type: 'email', maxlength: 254, attributes: suggestions, isLabelHidden: row > 0 });
    const all = Array.from({ length: MAX_SHARE_RECIPIENTS }, address);
    return html`<div class="addresses">
      ${all.slice(0, rows)}
      ${
        rows >= MAX_SHARE_RECIPIENTS
          ? null
          : html`<details>
              <summary>Más direcciones</summary>
              <div class="addresses">${all.slice(rows)}</div>
            </details>`
      }
    </div>`;
  };
  const content = html`${rejected === undefined ? null : partlySent(rejected)} ${preview ? previewCard(preview) : null}
    ${quote.isExpired ? expired(quote) : null}
    <section class="card" aria-labelledby="envio">
      <h2 id="envio">Enviar por correo</h2>
      ${formElement({
        form,
        action: quotePath(quote, 'share'),
        labels: LABELS,
        submit: 'Enviar cotización',
        cancel: quotePath(quote),
        body: html`<p class="hint">
            ${
              hasFeature(reader.plan, 'share_with_anyone')
                ? `Si no escribe nadie en «Para», se envía a ${recipientOf(quote)}.`
                : 'En el plan FREE se envía a su cliente y a sus contactos.'
            }
            Lleva el PDF adjunto.
          </p>
          <div class="grid">${addresses('to', 1)} ${addresses('cc', 1)}</div>
          <datalist id="contactos">
            ${contacts.map(({ name, address }) => html`<option value="${address}">${name}</option>`)}
          </datalist>
          ${fields.area('message', {
            rows: 5,
            maxlength: MAX_SHARE_MESSAGE,
            hint: 'Va antes de los datos de la cotización, como texto.',
          })}`,
        secondary: html`<button type="submit" class="button button-plain" formaction="${quotePath(quote, 'preview')}">
          Ver el correo
        </button>`,
      })}
    </section>`;
  return quoteFrame({ quote, reader, page: 'share', name: 'Enviar', content });
}

const partlySent = (rejected: readonly string[]): Html =>
  html`<div class="notice notice-warn" role="alert">
    <p>
      <strong
        >La cotización se envió, pero el servidor de correo no aceptó
        ${rejected.length === 1 ? 'esta dirección' : 'estas direcciones'}:</strong
      >
      ${rejected.join(', ')}
    </p>
  </div>`;

const expired = (quote: QuoteDetail): Html =>
  html`<p class="notice notice-warn">
    La cotización está vencida. <a href="${quotePath(quote)}#vigencia">Cambie la vigencia</a> antes de enviarla.
  </p>`;

/** The mail as text; its HTML says the same. */
function previewCard({ fromName, replyTo, to, cc, subject, text, attachments }: Preview): Html {
  const row = (label: string, value: string) =>
    html`<div>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<section class="card mail-preview" aria-labelledby="vista">
    <h2 id="vista" tabindex="-1" autofocus>Así se verá el correo</h2>
    <dl class="pairs wide-pairs">
      ${row('De', fromName)} ${row('Para', mailboxes(to))} ${cc.length === 0 ? null : row('Con copia', mailboxes(cc))}
      ${row('Las respuestas llegan a', replyTo)} ${row('Asunto', subject)} ${row('Adjunto', attachments.join(', '))}
    </dl>
    <p class="mail-text multiline">${text}</p>
    <p class="hint">Todavía no se envía nada. Si está bien, use «Enviar cotización».</p>
  </section>`;
}

const mailboxes = (all: readonly Mailbox[]): string =>
  all.map(({ name, address }) => (name === '' ? address : `${name} <${address}>`)).join(', ');
