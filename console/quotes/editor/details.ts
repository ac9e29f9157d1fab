import { type Html, html } from '../../../domain/html.ts';
import type { FieldSet } from '../../forms/fields.ts';
import { rowCount, valueOf } from '../../forms/form-state.ts';
import type { EditorView } from './view.ts';

/** What a quote may have besides its client and lines, in groups that fold. */
export function detailCards(view: EditorView, fields: FieldSet): Html {
  const { form, currencies } = view;
  const currency = currencies
    ? fields.select('currency', currencies, { isRequired: true })
    : html`<div class="field">
        <p class="label">Moneda</p>
        <p>${valueOf(form, 'currency')} <span class="sub">Con PRO cotiza en otras monedas.</span></p>
        ${fields.hidden('currency')}
      </div>`;
  return html`<section class="card" aria-labelledby="documento-titulo">
      <h2 id="documento-titulo">Documento</h2>
      <div class="grid">
        ${fields.text('title', { maxlength: 120, placeholder: 'Remodelación de oficinas' })}
        ${fields.text('validUntil', { type: 'date', isRequired: true })}
      </div>
      ${fields.area('notes', { rows: 2, maxlength: 300, hint: 'El cliente las lee al pie de la cotización.' })}
    </section>
    ${fold(view, {
      id: 'importes',
      title: 'Descuento, envío y anticipo',
      names: ['discountPct', 'shippingCost', 'shippingTaxes', 'deposit'],
      set: [
        percent(valueOf(form, 'discountPct')),
        positive(valueOf(form, 'shippingCost')) ? 'con envío' : '',
        valueOf(form, 'deposit.type') === '' ? '' : 'con anticipo',
      ],
      body: html`<div class="grid">
          ${fields.text('discountPct', { inputmode: 'decimal', maxlength: 10, hint: 'De todas las partidas; no del envío.' })}
          ${fields.text('shippingCost', { inputmode: 'decimal', maxlength: 20, hint: 'Sin impuestos, si no marca ninguno.' })}
        </div>
        ${shippingTaxes(view, fields)}
        <div class="grid">
          ${fields.select('deposit.type', [
            { value: '', label: 'Sin anticipo' },
            { value: 'percent', label: 'Un porcentaje del total' },
            { value: 'amount', label: 'Un importe' },
          ])}
          ${fields.text('deposit.value', { inputmode: 'decimal', maxlength: 20 })}
        </div>
        ${fields.text('deposit.note', { maxlength: 200, placeholder: 'Al firmar' })}`,
    })}
    ${fold(view, {
      id: 'condiciones',
      title: 'Moneda, condiciones y datos internos',
      names: ['currency', 'reference', 'terms', 'internalNotes', 'metadata', 'attachmentIds'],
      set: [valueOf(form, 'currency'), valueOf(form, 'terms') === '' ? '' : 'con condiciones'],
      body: html`<div class="grid">
          ${currency} ${fields.text('reference', { maxlength: 60, hint: 'El número de pedido del cliente.' })}
        </div>
        ${fields.area('terms', { rows: 4, maxlength: 5000 })}
        ${fields.area('internalNotes', { rows: 2, maxlength: 2000, hint: 'El cliente nunca las ve.' })}
        ${attachments(view, fields)} ${metadata(view, fields)}`,
    })}`;
}

const percent = (text: string): string => (positive(text) ? `${text} % de descuento` : '');
const positive = (text: string): boolean => text !== '' && Number(text) !== 0;

interface Fold {
  readonly id: string;
  readonly title: string;
  readonly names: readonly string[];
  /** What is set in it, shown while it is folded. */
  readonly set: readonly string[];
  readonly body: Html;
}

function fold({ form }: EditorView, { id, title, names, set, body }: Fold): Html {
  const isWrong = [...form.errors.keys()].some((error) => names.some((name) => error.startsWith(name)));
  return html`<details class="card fold" id="${id}" ${isWrong ? html`open` : null}>
    <summary>${title} <span class="sub">${set.filter((text) => text !== '').join(' · ')}</span></summary>
    ${body}
  </details>`;
}

function shippingTaxes({ taxes, form }: EditorView, fields: FieldSet): Html {
  const message = [...form.errors].find(([name]) => name.startsWith('shippingTaxes'))?.[1];
  return html`<fieldset class="field" id="shippingTaxes" tabindex="-1">
    <legend>Impuestos del envío</legend>
    <input type="hidden" name="shippingTaxes" value="" />
    <div class="checks">
      ${taxes.map(({ code, name }) => fields.choice('shippingTaxes', { value: code, label: name }))}
    </div>
    ${message === undefined ? null : html`<p class="error">${message}</p>`}
  </fieldset>`;
}

function attachments({ attachments: files }: EditorView, fields: FieldSet): Html | null {
  if (files.length === 0) return null;
  return html`<fieldset class="field">
    <legend>Archivos adjuntos que conserva</legend>
    <input type="hidden" name="attachmentIds" value="" />
    ${files.map(({ id, name }) => fields.choice('attachmentIds', { value: id, label: name }))}
  </fieldset>`;
}

const EMPTY_ROWS = 2;

function metadata({ form }: EditorView, fields: FieldSet): Html {
  const count = rowCount(form, 'metadataRows') + EMPTY_ROWS;
  return html`<fieldset class="field">
    <legend>Datos propios</legend>
    <p class="hint">Para sus otros sistemas; el cliente nunca los ve.</p>
    <input type="hidden" name="hasMetadata" value="true" />
    ${[...form.errors].filter(([name]) => name.startsWith('metadata')).map(([, message]) => html`<p class="error">${message}</p>`)}
    ${Array.from(
      { length: count },
      (_, row) =>
        html`<div class="grid">
          ${fields.text(`metadataRows.${row}.name`, { maxlength: 40 })}
          ${fields.text(`metadataRows.${row}.value`, { maxlength: 500 })}
        </div>`,
    )}
  </fieldset>`;
}
