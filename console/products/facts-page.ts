import { type Html, html } from '../../domain/html.ts';
import { money } from '../figures.ts';
import { heading } from '../layout.ts';
import { PRODUCTS_PATH, type ProductView, taxesText } from './list-page.ts';

/** A product, for those who may not change it. */
export function productFactsPage(product: ProductView): { readonly title: string; readonly body: Html } {
  const facts: readonly (readonly [string, string | Html | null])[] = [
    ['Precio unitario', money(product.unitPrice, product.currency)],
    ['Modelo o SKU', product.modelSku],
    ['Unidad de medida', product.unit],
    ['Impuestos', taxesText(product.taxes)],
    ['Descripción', product.description && html`<span class="lines-kept">${product.description}</span>`],
    ['Estado', product.isActive ? 'Activo' : 'Desactivado'],
  ];
  const body = html`${heading(product.name)}
    <section class="card" aria-label="Datos del producto">
      <dl class="facts facts-column">
        ${facts
          .filter(([, value]) => value !== null)
          .map(
            ([name, value]) =>
              html`<div>
                <dt>${name}</dt>
                <dd>${value}</dd>
              </div>`,
          )}
      </dl>
    </section>
    <p><a href="${PRODUCTS_PATH}">Volver a los productos</a></p>`;
  return { title: product.name, body };
}
