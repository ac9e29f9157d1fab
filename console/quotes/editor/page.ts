import { type Html, html } from '../../../domain/html.ts';
import { fieldSet } from '../../forms/fields.ts';
import { errorSummary, hiddenParts } from '../../forms/form.ts';
import { heading } from '../../layout.ts';
import { clientCard } from './client.ts';
import { detailCards } from './details.ts';
import { linesCard } from './lines.ts';
import { totalsBox } from './totals.ts';
import { type EditorView, LABELS } from './view.ts';

/** The form of a quote, for a new one and for a revision. */
export function editorPage(view: EditorView): { readonly title: string; readonly body: Html } {
  const { form, action, revised } = view;
  const fields = fieldSet(form, LABELS);
  const title = revised ? `Revisar ${revised.displayNumber}` : 'Cotización nueva';
  const back = revised ? `/app/quotes/${revised.id}` : '/app/quotes';
  const inPlace = html`hx-post="${action}" hx-target="#totales" hx-select="#totales" hx-swap="outerHTML"`;
  const body = html`${heading(title, {
      ...(revised && {
        lead: `Al guardar se crea la versión ${revised.version + 1}. La anterior se conserva y no se envía nada al cliente.`,
      }),
    })}
    <form
      class="form editor"
      method="post"
      action="${action}"
      novalidate
      data-once
      hx-post="${totalsPath(view)}"
      hx-trigger="input delay:400ms"
      hx-target="#totales"
      hx-select="#totales"
      hx-swap="outerHTML"
      hx-sync="this:replace"
      hx-disinherit="*"
    >
      ${/* Enter in a field submits by the first button. */ null}
      <button
        type="submit"
        class="visually-hidden"
        name="do"
        value="calculate"
        ${inPlace}
        tabindex="-1"
        aria-hidden="true"
      >
        Calcular
      </button>
      ${hiddenParts(form)}
      ${revised ? html`<input type="hidden" name="version" value="${form.fields.get('version')?.[0] ?? revised.version}" />` : null}
      <div class="editor-main">
        ${errorSummary({ form, labels: LABELS, ...(revised && { current: back }) })} ${clientCard(view, fields)}
        ${linesCard(view, fields)} ${detailCards(view, fields)}
      </div>
      <aside class="card editor-side" aria-labelledby="total-titulo">
        <h2 id="total-titulo">Así lo verá el cliente</h2>
        ${totalsBox(view.totals)}
        <div class="form-actions">
          <button type="submit" class="button button-main">
            ${revised ? 'Guardar la versión nueva' : 'Crear la cotización'}
          </button>
          <button type="submit" class="button button-plain" name="do" value="calculate" ${inPlace}>Calcular</button>
          <a class="button button-quiet" href="${back}">Cancelar</a>
        </div>
        <p class="hint">
          ${revised ? 'Después la comparte de nuevo con su cliente.' : 'No se envía nada todavía: después la revisa y la comparte.'}
        </p>
      </aside>
    </form>`;
  return { title, body };
}

const totalsPath = ({ action }: EditorView): string => `${action.split('?')[0]}/totals`;

/** Instead of the form, for a quote that no revision can change. */
export const notRevisablePage = ({
  id,
  displayNumber,
  status,
}: {
  id: string;
  displayNumber: string;
  status: string;
}) => ({
  title: `Revisar ${displayNumber}`,
  body: html`${heading(`Revisar ${displayNumber}`)}
    <div class="empty">
      <h2>Esta cotización ya no se puede revisar</h2>
      <p>
        Está ${status.toLocaleLowerCase('es-MX')}, y lo que el cliente respondió queda como está. Para ofrecer otra
        cosa, duplíquela o cree una nueva.
      </p>
      <a class="button button-main" href="/app/quotes/${id}">Volver a la cotización</a>
    </div>`,
});
