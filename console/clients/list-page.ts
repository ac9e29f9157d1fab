import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { emptyState } from '../empty-state.ts';
import { shortDay } from '../figures.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { listUrl, pagination } from '../pagination.ts';
import { searchForm } from '../search-form.ts';
import { table } from '../tables.ts';
import { CLIENTS_PATH, clientName, type ClientView } from './view.ts';

interface ClientListView {
  readonly filter: FormState;
  readonly rows: readonly ClientView[];
  /** Absent after the first page. */
  readonly total: number | undefined;
  readonly nextCursor: string | null;
  readonly query: Readonly<Record<string, string>>;
  readonly timeZone: TimeZone;
  readonly canImport: boolean;
}

const STATES = [
  { value: 'true', label: 'Activos' },
  { value: 'false', label: 'Desactivados' },
];

/** The clients of the business, with a search. */
export function clientListPage(view: ClientListView): { readonly title: string; readonly body: Html } {
  const title = 'Clientes';
  const actions = [
    ...(view.canImport ? [html`<a class="button button-plain" href="/app/imports/clients">Importar</a>`] : []),
    html`<a class="button button-main" href="${CLIENTS_PATH}/new">Cliente nuevo</a>`,
  ];
  const body = html`${heading(title, { actions })}
    ${searchForm({
      path: CLIENTS_PATH,
      filter: view.filter,
      placeholder: 'Nombre, empresa o correo',
      states: STATES,
    })}
    <div id="resultados" aria-live="polite">${results(view)}</div>`;
  return { title, body };
}

function results(view: ClientListView): Html {
  const { rows, query, nextCursor, total, timeZone } = view;
  const { cursor, ...filter } = query;
  if (rows.length === 0) return nothing(filter, view.canImport);
  return html`${total === undefined ? null : html`<p class="count">${countOf(total)}</p>`}
  ${table(
    'Clientes',
    [
      { label: 'Cliente' },
      { label: 'Correo electrónico' },
      { label: 'Teléfono' },
      { label: 'Clave fiscal', isMinor: true },
      { label: 'Alta', isMinor: true },
    ],
    rows.map((client) => ({ cells: cellsOf(client, timeZone) })),
  )}
  ${pagination({
    first: cursor === undefined ? undefined : listUrl(CLIENTS_PATH, filter),
    next: nextCursor === null ? undefined : listUrl(CLIENTS_PATH, { ...filter, cursor: nextCursor }),
  })}`;
}

const countOf = (total: number): string => (total === 1 ? '1 cliente' : `${total.toLocaleString('es-MX')} clientes`);

const cellsOf = (client: ClientView, timeZone: TimeZone): readonly (Html | string | null)[] => [
  html`<a href="${CLIENTS_PATH}/${client.id}"><bdi>${clientName(client)}</bdi></a
    >${client.companyName === null ? null : html`<span class="sub"><bdi>${client.contactName}</bdi></span>`}`,
  client.email,
  client.phone,
  client.taxId,
  shortDay(client.createdAt, timeZone),
];

function nothing({ search, active }: Readonly<Record<string, string>>, canImport: boolean): Html {
  if (search !== undefined)
    return emptyState({
      title: 'Ningún cliente coincide',
      text: 'Pruebe con otra palabra o con el otro estado.',
      action: { label: 'Quitar la búsqueda', href: CLIENTS_PATH },
    });
  if (active === 'false')
    return emptyState({
      title: 'No hay clientes desactivados',
      text: 'Un cliente desactivado ya no recibe cotizaciones nuevas y se puede reactivar.',
      action: { label: 'Ver los activos', href: CLIENTS_PATH },
    });
  return emptyState({
    title: 'Todavía no hay clientes',
    text: canImport
      ? 'Registre al primero, o traiga los que ya tiene en una hoja de cálculo.'
      : 'Registre al primero para cotizarle.',
    action: { label: 'Registrar un cliente', href: `${CLIENTS_PATH}/new` },
  });
}
