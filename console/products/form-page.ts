import { type Html, html } from '../../domain/html.ts';
import { confirmed } from '../confirm.ts';
import { CURRENCIES } from '../currencies.ts';
import { type FieldSet, fieldSet } from '../forms/fields.ts';
import { actionForm, formElement } from '../forms/form.ts';
import { type FormState, valueOf } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { PRODUCTS_PATH, type ProductView } from './list-page.ts';

interface Tax {
  readonly code: string;
  readonly name: string;
}

interface ProductFormView {
  readonly form: FormState;
  /** The product that is changed; a new one without. */
  readonly product?: ProductView;
  /** The tax table of the business. */
  readonly taxes: readonly Tax[];
  /** The plan allows other currencies than that of the business. */
  readonly hasCurrencies: boolean;
  /** Of the buttons beside the form. */
  readonly buttons?: FormState;
}

const LABELS = {
  name: 'Nombre',
  modelSku: 'Modelo o SKU',
  description: 'Descripción',
  unitPrice: 'Precio unitario',
  currency: 'Moneda',
  unit: 'Unidad de medida',
  taxMode: 'Impuestos',
  taxes: 'Impuestos',
  'taxes.*': 'Impuestos',
};

/** The form of a product, for a new one and for changes. */
export function productFormPage(view: ProductFormView): { readonly title: string; readonly body: Html } {
  const { form, product } = view;
  const fields = fieldSet(form, LABELS);
  const path = product === undefined ? `${PRODUCTS_PATH}/new` : `${PRODUCTS_PATH}/${product.id}`;
  const title = product === undefined ? 'Producto nuevo' : product.name;
  const body = html`${heading(title)} ${product && !product.isActive ? inactive(view, path) : null}
  ${formElement({
    form,
    action: path,
    labels: LABELS,
    submit: product === undefined ? 'Crear el producto' : 'Guardar los cambios',
    cancel: PRODUCTS_PATH,
    ...(product !== undefined && { current: path }),
    body: html`<div class="card">
        <div class="grid">
          ${fields.text('name', { isRequired: true, maxlength: 200 })} ${fields.text('modelSku', { maxlength: 100 })}
        </div>
        ${fields.area('description', { maxlength: 2000, rows: 3, hint: 'Pasa a la partida al cotizar; ahí se puede cambiar.' })}
      </div>
      <div class="card">
        <h2>Precio</h2>
        <div class="grid">
          ${fields.text('unitPrice', { isRequired: true, inputmode: 'decimal', maxlength: 20, hint: 'Sin impuestos. Hasta 6 decimales.' })}
          ${
            view.hasCurrencies
              ? fields.select('currency', [{ value: '', label: 'La del negocio' }, ...CURRENCIES])
              : fields.hidden('currency')
          }
          ${fields.text('unit', { maxlength: 20, placeholder: 'm², hora, caja', hint: 'Con unidad la cantidad admite decimales.' })}
        </div>
      </div>
      ${taxCard(view, fields)}`,
  })}
  ${product?.isActive ? deactivate(view, path) : null}`;
  return { title, body };
}

function taxCard({ form, taxes }: ProductFormView, fields: FieldSet): Html {
  const message = [...form.errors].find(([name]) => name === 'taxes' || name.startsWith('taxes.'))?.[1];
  const isOwn = valueOf(form, 'taxMode') === 'own';
  const mode = (value: string, label: string, isChecked: boolean): Html =>
    html`<label class="check">
      <input type="radio" name="taxMode" value="${value}" ${isChecked ? html`checked` : null} />
      <span>${label}</span>
    </label>`;
  return html`<fieldset class="card tax-choice" id="taxes" tabindex="-1">
    <legend class="visually-hidden">Impuestos</legend>
    <h2 aria-hidden="true">Impuestos</h2>
    ${message === undefined ? null : html`<p class="error" id="taxes-error">${message}</p>`}
    ${mode('default', 'Los del negocio', !isOwn)}
    ${mode('own', taxes.length === 0 ? 'Ninguno' : 'Estos; si no marca ninguno, sin impuestos', isOwn)}
    <input type="hidden" name="taxes" value="" />
    <div class="checks">${taxes.map(({ code, name }) => fields.choice('taxes', { value: code, label: name }))}</div>
  </fieldset>`;
}

const inactive = ({ buttons }: ProductFormView, path: string): Html =>
  html`<section class="notice notice-warn" aria-labelledby="desactivado">
    <h2 id="desactivado">Producto desactivado</h2>
    <p>No aparece al cotizar. Las cotizaciones que lo usan no cambian.</p>
    ${buttons ? actionForm({ form: buttons, action: `${path}/activate`, submit: 'Reactivar' }) : null}
  </section>`;

const deactivate = ({ buttons }: ProductFormView, path: string): Html | null =>
  buttons
    ? confirmed({
        form: buttons,
        action: `${path}/delete`,
        label: 'Desactivar el producto',
        text: 'Deja de aparecer al cotizar; las cotizaciones que lo usan no cambian. Puede reactivarlo cuando quiera.',
        submit: 'Desactivar',
      })
    : null;
