import { type Html, html } from '../../domain/html.ts';
import { confirmed } from '../confirm.ts';
import { CURRENCIES } from '../currencies.ts';
import { type FieldSet, fieldSet } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import { type FormState, rowCount } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { lineFields } from './lines.ts';
import { TEMPLATES_PATH } from './view.ts';

export interface FoundProduct {
  readonly id: string;
  readonly name: string;
  readonly modelSku: string | null;
  readonly price: string;
}

interface TemplateFormView {
  readonly form: FormState;
  /** The template that is changed; a new one without. */
  readonly template?: { readonly id: string; readonly name: string };
  /** Products that match the search in the catalogue. */
  readonly found: readonly FoundProduct[] | undefined;
}

const LABELS = {
  name: 'Nombre de la plantilla',
  description: 'Para qué sirve',
  currency: 'Moneda',
  title: 'Título de la cotización',
  notes: 'Notas para el cliente',
  terms: 'Condiciones',
  internalNotes: 'Notas internas',
  shippingCost: 'Envío',
  discountPct: 'Descuento del documento (%)',
  'deposit.type': 'Anticipo',
  'deposit.value': 'Cuánto',
  'deposit.note': 'Cuándo',
  catalogueSearch: 'Agregar del catálogo',
  items: 'Partidas',
  'items.*.productName': 'Producto o servicio',
  'items.*.model': 'Modelo',
  'items.*.unitPrice': 'Precio unitario',
  'items.*.quantity': 'Cantidad',
  'items.*.unit': 'Unidad',
  'items.*.discountPct': 'Descuento (%)',
  'items.*.section': 'Sección',
  'items.*.description': 'Descripción',
  'items.*.choice': 'Grupo de alternativas',
  'items.*.optional': 'Opcional: el cliente decide si la quiere',
  'items.*.selected': 'Elegida de antemano',
};

/** The form of a template, for a new one and for changes. Its buttons with `do` change only what it shows. */
export function templateFormPage(view: TemplateFormView): { readonly title: string; readonly body: Html } {
  const { form, template } = view;
  const fields = fieldSet(form, LABELS);
  const path = template === undefined ? `${TEMPLATES_PATH}/new` : `${TEMPLATES_PATH}/${template.id}`;
  const title = template === undefined ? 'Plantilla nueva' : template.name;
  const actions = template
    ? [html`<a class="button button-plain" href="/app/quotes/new?template=${template.id}">Usar</a>`]
    : [];
  const body = html`${heading(title, { actions })}
  ${formElement({
    form,
    action: path,
    labels: LABELS,
    submit: template === undefined ? 'Crear la plantilla' : 'Guardar los cambios',
    cancel: TEMPLATES_PATH,
    body: html`${enter}
      <div class="card">
        <div class="grid">
          ${fields.text('name', { isRequired: true, maxlength: 100 })}
          ${fields.select('currency', CURRENCIES, { isRequired: true })}
        </div>
        ${fields.text('description', { maxlength: 500, hint: 'Solo lo lee su equipo.' })}
      </div>
      ${lines(view, fields)} ${details(fields)}`,
  })}
  ${
    template
      ? confirmed({
          form,
          action: `${path}/delete`,
          label: 'Borrar la plantilla',
          text: 'Deja de aparecer en la lista y no se puede recuperar. Las cotizaciones que salieron de ella no cambian.',
          submit: 'Borrar',
        })
      : null
  }`;
  return { title, body };
}

/** Enter in a field presses the first button of a form, which must be the one that saves. */
const enter = html`<button type="submit" class="visually-hidden" tabindex="-1" aria-hidden="true"></button>`;

function lines({ form, found }: TemplateFormView, fields: FieldSet): Html {
  const count = rowCount(form, 'items');
  const message = form.errors.get('items');
  return html`<section class="card" id="items" tabindex="-1" aria-labelledby="partidas">
    <h2 id="partidas">Partidas</h2>
    ${message === undefined ? null : html`<p class="error" id="items-error">${message}</p>`}
    <div class="inline-search">
      ${fields.text('catalogueSearch', { type: 'search', maxlength: 200, isRequired: true, placeholder: 'Nombre, modelo o descripción' })}
      <button type="submit" class="button button-plain" name="do" value="find">Buscar en el catálogo</button>
    </div>
    ${found === undefined ? null : catalogue(found)}
    <ol>
      ${Array.from({ length: count }, (_, row) => lineFields({ form, fields, row }))}
    </ol>
    <button type="submit" class="button button-plain" name="do" value="add">Agregar otra partida</button>
  </section>`;
}

const catalogue = (found: readonly FoundProduct[]): Html =>
  found.length === 0
    ? html`<p class="soft" role="status">Ningún producto coincide.</p>`
    : html`<ul class="picks" aria-label="Productos encontrados">
        ${found.map(
          ({ id, name, modelSku, price }) =>
            html`<li>
              <button type="submit" class="pick" name="do" value="pick.${id}">
                <span><bdi>${name}</bdi>${modelSku === null ? null : html`<span class="sub">${modelSku}</span>`}</span
                ><span>${price}<span class="visually-hidden">, agregar</span></span>
              </button>
            </li>`,
        )}
      </ul>`;

const details = (fields: FieldSet): Html =>
  html`<div class="card stack">
      <h2>Documento</h2>
      ${fields.text('title', { maxlength: 120, placeholder: 'Remodelación de oficinas' })}
      ${fields.area('notes', { maxlength: 2000, rows: 2, hint: 'Sin ellas, la cotización lleva las del negocio.' })}
      ${fields.area('terms', { maxlength: 5000, rows: 3, hint: 'Sin ellas, la cotización lleva las del negocio.' })}
      ${fields.area('internalNotes', { maxlength: 2000, rows: 2, hint: 'El cliente nunca las ve.' })}
    </div>
    <div class="card">
      <h2>Descuento, envío y anticipo</h2>
      <div class="grid">
        ${fields.text('discountPct', { inputmode: 'decimal', maxlength: 10, hint: 'De todas las partidas; no del envío.' })}
        ${fields.text('shippingCost', { inputmode: 'decimal', maxlength: 20 })}
        ${fields.select('deposit.type', [
          { value: '', label: 'Sin anticipo' },
          { value: 'percent', label: 'Un porcentaje del total' },
          { value: 'amount', label: 'Un importe' },
        ])}
        ${fields.text('deposit.value', { inputmode: 'decimal', maxlength: 20 })}
        ${fields.text('deposit.note', { maxlength: 200, placeholder: 'Al firmar' })}
      </div>
    </div>`;
