import { type Html, html } from '../domain/html.ts';
import { textsOf } from '../domain/texts/texts.ts';
import { box } from './banner.ts';
import type { QuoteView } from './view.ts';

/**
 * The controls with which a client selects optional lines and alternatives. They stand in the table and belong to the
 * acceptance form, so that its fields are kept when the total is updated without the script.
 */

export const ACCEPT_FORM = 'aceptar';

/** The name of a line as the label of its check box or radio button; null for lines that cannot be selected. */
export function optionName({ options, drawing: { lines } }: QuoteView, index: number): Html | null {
  const line = lines[index];
  if (!options || !line || (!line.optional && line.choice === null)) return null;
  const { choice, counts, productName } = line;
  const name = choice === null ? `line-${index}` : `group-${lines.findIndex((other) => other.choice === choice)}`;
  return html`<label class="option">
    <input
      type="${choice === null ? 'checkbox' : 'radio'}"
      form="${ACCEPT_FORM}"
      name="${name}"
      value="${options.ids[index] ?? ''}"
      aria-describedby="choice-${index}"
      ${counts ? html`checked` : null}
      autocomplete="off"
      data-option
    />
    <bdi>${productName}</bdi>
  </label>`;
}

export const selectionHint = ({ options, locale }: QuoteView): Html | null =>
  options && html`<p class="selection-hint">${textsOf(locale).page.selection.hint}</p>`;

/** The button for pages without the script, and where the script reports. */
export function selectionControls({ options, path, query, locale }: QuoteView): Html | null {
  if (!options) return null;
  const { update, failed } = textsOf(locale).page.selection;
  return html`<div class="selection" data-selection="${path}/totals${query}" data-failed="${failed}">
    <p class="visually-hidden" role="status" data-new-total></p>
    <p class="note" role="alert" data-note></p>
    <button
      type="submit"
      class="button button-plain no-js"
      form="${ACCEPT_FORM}"
      formaction="${path}/totals${query}#importes"
      formnovalidate
    >
      ${update}
    </button>
  </div>`;
}

/** Why the amounts are still those of the selection before. */
export function selectionRefused({ notice, locale }: QuoteView): Html | null {
  const { title, text } = textsOf(locale).page.selection.refused;
  return notice === 'selection_refused' ? box('warn', title, text, 'alert') : null;
}

/** The selection whose amounts the client sees: nothing else can be accepted. */
export const shownSelection = ({ options }: QuoteView): Html | null =>
  options && html`<input type="hidden" name="shown" value="${options.shown}" data-part="shown" />`;
