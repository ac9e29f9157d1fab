import { type Html, html } from '../../domain/html.ts';
import { can } from '../../domain/permissions.ts';
import { isFinal } from '../../domain/quote-status.ts';
import { errorSummary } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { actionForm } from '../forms/form.ts';
import { listUrl } from '../pagination.ts';
import { answerCard, type Signature } from './answer.ts';
import { attachmentsCard } from './attachments-card.ts';
import { quoteDocument } from './document.ts';
import { timeline } from './history.ts';
import { messageList } from './messages.ts';
import { quoteFrame, quotePath, type Reader } from './quote-frame.ts';
import { clientCard, labelsCard, statusCard, validityCard } from './side-cards.ts';
import { internalNotes } from './versions.ts';
import type { Change, Label, Message, QuoteDetail } from './view.ts';

/** The forms of the page, by the last part of their addresses. */
export const QUOTE_FORMS = [
  'status',
  'validity',
  'add-label',
  'remove-label',
  'upload',
  'remove-attachment',
  'duplicate',
] as const;
export type QuoteForm = (typeof QUOTE_FORMS)[number];

export interface QuoteDetailView {
  readonly quote: QuoteDetail;
  readonly reader: Reader;
  readonly signature: Signature | null;
  readonly labels: readonly Label[];
  readonly messages: readonly Message[];
  readonly changes: readonly Change[];
  readonly linesPage: number;
  readonly formOf: (name: QuoteForm) => FormState;
  /** The form that was refused. */
  readonly refused?: QuoteForm;
}

/** Forms that show their refusal themselves, beside their fields. */
const WITH_FIELDS: ReadonlySet<QuoteForm | undefined> = new Set<QuoteForm>(['validity', 'upload']);

/** A quote with its answer, its document and what can be done with it. */
export function quoteDetailPage(view: QuoteDetailView) {
  const { quote, reader, signature, messages, changes, linesPage, formOf, refused } = view;
  const content = html`${refused === undefined || WITH_FIELDS.has(refused) ? null : errorSummary({ form: formOf(refused), labels: {} })}
    ${statusCard(view)}
    <div class="split">
      <div class="split-main">
        ${answerCard(quote, signature, reader.timeZone)} ${latestMessages(view, messages)}
        ${quoteDocument({
          content: quote,
          linesPage,
          linesUrl: (page) => listUrl(quotePath(quote), { lines: page }),
        })}
        ${internalNotes(quote)} ${metadata(quote)}
      </div>
      <div class="split-side">
        ${clientCard(quote)} ${validityCard(view)} ${labelsCard(view)} ${attachmentsCard(view)}
        <section class="card" aria-labelledby="historial">
          <h2 id="historial">Historial</h2>
          ${timeline(changes, reader.timeZone)}
          <p><a href="${quotePath(quote, 'history')}">Ver todo el historial</a></p>
        </section>
      </div>
    </div>`;
  return quoteFrame({ quote, reader, page: '', actions: actionsOf(view), content });
}

function actionsOf({ quote, reader, formOf }: QuoteDetailView): readonly Html[] {
  const canWrite = can(reader.role, 'quotes:create');
  const isOpen = !isFinal(quote.status);
  return [
    html`<a
      class="button ${isOpen && !quote.isExpired ? 'button-main' : 'button-plain'}"
      href="${quotePath(quote, 'share')}"
      >${quote.status === 'GENERATED' ? 'Enviar' : 'Enviar otra vez'}</a
    >`,
    ...(canWrite && isOpen
      ? [html`<a class="button button-plain" href="${quotePath(quote, 'revise')}">Revisar</a>`]
      : []),
    html`<a class="button button-plain" href="${quotePath(quote, 'pdf')}">Descargar PDF</a>`,
    ...(canWrite
      ? [actionForm({ form: formOf('duplicate'), action: quotePath(quote, 'duplicate'), submit: 'Duplicar' })]
      : []),
  ];
}

function latestMessages({ quote, reader }: QuoteDetailView, messages: readonly Message[]): Html | null {
  if (messages.length === 0) return null;
  return html`<section class="card" aria-labelledby="mensajes">
    <h2 id="mensajes">Últimos mensajes</h2>
    ${messageList(messages, reader.timeZone)}
    <p><a href="${quotePath(quote, 'messages')}">Ver todos y responder</a></p>
  </section>`;
}

function metadata({ metadata: all }: QuoteDetail): Html | null {
  const entries = Object.entries(all);
  if (entries.length === 0) return null;
  return html`<section class="card" aria-labelledby="datos">
    <h2 id="datos">Datos de sus sistemas</h2>
    <dl class="pairs">
      ${entries.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}
