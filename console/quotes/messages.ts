import { type Html, html } from '../../domain/html.ts';
import { MAX_MESSAGE_LENGTH } from '../../domain/messages.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { moment } from '../figures.ts';
import { fieldSet } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { listUrl, pagination } from '../pagination.ts';
import { emptyState } from '../empty-state.ts';
import { quoteFrame, quotePath, type Reader, recipientOf } from './quote-frame.ts';
import type { Message, QuoteDetail } from './view.ts';

interface MessagesView {
  readonly quote: QuoteDetail;
  readonly reader: Reader;
  readonly messages: readonly Message[];
  readonly page: number;
  readonly totalPages: number;
  readonly form: FormState;
}

const LABELS = { body: 'Su mensaje' };

/** What the client asked for and what was answered, newest first, with a form to answer. */
export function messagesPage(view: MessagesView) {
  const { quote, reader, messages, page, totalPages } = view;
  const path = quotePath(quote, 'messages');
  const content = html`${writeForm(view)}
  ${
    messages.length === 0
      ? emptyState({
          title: 'Todavía no hay mensajes',
          text: 'Aquí verá los cambios que su cliente pida en su página y lo que usted le escriba.',
        })
      : messageList(messages, reader.timeZone)
  }
  ${pagination({
    first: page > 1 ? path : undefined,
    next: page < totalPages ? listUrl(path, { page: page + 1 }) : undefined,
  })}`;
  return quoteFrame({ quote, reader, page: 'messages', name: 'Mensajes', content });
}

function writeForm({ quote, form }: MessagesView): Html {
  const { email } = quote.client;
  if (email === null)
    return html`<p class="notice notice-warn">
      ${recipientOf(quote)} no tiene correo electrónico.
      <a href="/app/clients/${quote.client.id}">Agréguelo</a> para escribirle desde aquí.
    </p>`;
  return html`<section class="card" aria-labelledby="escribir">
    <h2 id="escribir">Escribir a ${quote.client.contactName}</h2>
    ${formElement({
      form,
      action: quotePath(quote, 'messages'),
      labels: LABELS,
      submit: 'Enviar mensaje',
      body: fieldSet(form, LABELS).area('body', {
        isRequired: true,
        rows: 4,
        maxlength: MAX_MESSAGE_LENGTH,
        hint: `Le llega por correo a ${email}; su respuesta le llegará a usted por correo y no aparece aquí.`,
      }),
    })}
  </section>`;
}

export const messageList = (messages: readonly Message[], timeZone: TimeZone): Html =>
  html`<ol class="messages">
    ${messages.map(
      (message) =>
        html`<li class="message-${message.direction}">
          <p class="message-head">
            <strong>${authorOf(message)}</strong>
            <span class="soft">${moment(message.createdAt, timeZone)} · versión ${message.version}</span>
            ${message.direction === 'outbound' ? mailChip(message.mailStatus) : null}
          </p>
          <p class="multiline">${message.body}</p>
        </li>`,
    )}
  </ol>`;

function authorOf({ author, direction }: Message): string {
  const { name, email } = author;
  if (name && email && direction === 'inbound') return `${name} (${email})`;
  return name ?? email ?? (direction === 'inbound' ? 'Su cliente' : 'Su negocio');
}

function mailChip(status: Message['mailStatus']): Html | null {
  if (status === 'FAILED') return html`<span class="chip chip-bad">No se pudo enviar</span>`;
  if (status === 'PENDING') return html`<span class="chip">En camino</span>`;
  return status === 'SENT' ? html`<span class="chip chip-good">Enviado</span>` : null;
}
