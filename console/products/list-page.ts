import { type Html, html } from '../../domain/html.ts';
import { emptyState } from '../empty-state.ts';
import { money } from '../figures.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { listUrl, pagination } from '../pagination.ts';
import { searchForm } from '../search-form.ts';
import { table } from '../tables.ts';

/** A product as the API gives it. */
export interface ProductView {
  readonly id: string;
  readonly name: string;
  readonly modelSku: string | null;
  readonly description: string | null;
  readonly unitPrice: string;
  readonly currency: string;
  readonly unit: string | null;
  /** Null: the tax of the business. */
  readonly taxes: readonly string[] | null;
  readonly isActive: boolean;
}

interface ProductListView {
  readonly filter: FormState;
  readonly rows: readonly ProductView[];
  /** Absent after the first page. */
  readonly total: number | undefined;
  readonly nextCursor: string | null;
  readonly query: Readonly<Record<string, string>>;
  /** The user may create, change and import products. */
  readonly canManage: boolean;
}

export const PRODUCTS_PATH = '/app/products';

const STATES = [
  { value: 'true', label: 'Activos' },
  { value: 'false', label: 'Desactivados' },
];

/** The catalogue, with a search. */
export function productListPage(view: ProductListView): { readonly title: string; readonly body: Html } {
  const title = 'Productos';
  const actions = view.canManage
    ? [
        html`<a class="button button-plain" href="/app/imports/products">Importar</a>`,
        html`<a class="button button-main" href="${PRODUCTS_PATH}/new">Producto nuevo</a>`,
      ]
    : [];
  const body = html`${heading(title, { actions })}
    ${searchForm({
      path: PRODUCTS_PATH,
      filter: view.filter,
      placeholder: 'Nombre, modelo o descripción',
      states: STATES,
    })}
    <div id="resultados" aria-live="polite">${results(view)}</div>`;
  return { title, body };
}

function results(view: ProductListView): Html {
  const { rows, query, nextCursor, total } = view;
  const { cursor, ...filter } = query;
  if (rows.length === 0) return nothing(filter, view.canManage);
  return html`${total === undefined ? null : html`<p class="count">${countOf(total)}</p>`}
  ${table(
    'Productos',
    [
      { label: 'Producto' },
      { label: 'Modelo' },
      { label: 'Unidad' },
      { label: 'Impuestos', isMinor: true },
      { label: 'Precio', isNumber: true },
    ],
    rows.map((product) => ({ cells: cellsOf(product) })),
  )}
  ${pagination({
    first: cursor === undefined ? undefined : listUrl(PRODUCTS_PATH, filter),
    next: nextCursor === null ? undefined : listUrl(PRODUCTS_PATH, { ...filter, cursor: nextCursor }),
  })}`;
}

const countOf = (total: number): string => (total === 1 ? '1 producto' : `${total.toLocaleString('es-MX')} productos`);

const MAX_SHOWN = 120;

const cellsOf = (product: ProductView): readonly (Html | string | null)[] => [
  html`<a href="${PRODUCTS_PATH}/${product.id}"><bdi>${product.name}</bdi></a
    >${product.description === null ? null : html`<span class="sub">${shortened(product.description)}</span>`}`,
  product.modelSku,
  product.unit,
  taxesText(product.taxes),
  money(product.unitPrice, product.currency),
];

const shortened = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).replace(/\S*$/, '').trimEnd()}…`;

export const taxesText = (taxes: readonly string[] | null): string => {
  if (taxes === null) return 'Los del negocio';
  return taxes.length === 0 ? 'Ninguno' : taxes.join(', ');
};

function nothing({ search, active }: Readonly<Record<string, string>>, canManage: boolean): Html {
  if (search !== undefined)
    return emptyState({
      title: 'Ningún producto coincide',
      text: 'Pruebe con otra palabra o con el otro estado.',
      action: { label: 'Quitar la búsqueda', href: PRODUCTS_PATH },
    });
  if (active === 'false')
    return emptyState({
      title: 'No hay productos desactivados',
      text: 'Un producto desactivado ya no aparece al cotizar y se puede reactivar.',
      action: { label: 'Ver los activos', href: PRODUCTS_PATH },
    });
  return emptyState({
    title: 'Todavía no hay productos',
    text: 'Con un catálogo, cada partida toma de él nombre, precio, unidad e impuestos. No es obligatorio para cotizar.',
    ...(canManage && { action: { label: 'Crear un producto', href: `${PRODUCTS_PATH}/new` } }),
  });
}
