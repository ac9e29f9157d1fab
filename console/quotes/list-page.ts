import { type Html, html } from '../../domain/html.ts';
import { QUOTE_STATUSES, type QuoteStatus } from '../../domain/quote-status.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { emptyState } from '../empty-state.ts';
import { money, shortDay } from '../figures.ts';
import { fieldSet } from '../forms/fields.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { listUrl, pagination } from '../pagination.ts';
import { table } from '../tables.ts';
import { statusChip, STATUSES } from './status.ts';

export interface QuoteRow {
  readonly id: string;
  readonly displayNumber: string;
  readonly title: string | null;
  readonly status: QuoteStatus;
  readonly isExpired: boolean;
  readonly total: string;
  readonly currency: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly client: { readonly contactName: string; readonly companyName: string | null };
  readonly user: { readonly name: string };
}

export interface QuoteListView {
  readonly filter: FormState;
  readonly rows: readonly QuoteRow[];
  /** Absent after the first page. */
  readonly total: number | undefined;
  readonly nextCursor: string | null;
  readonly query: Readonly<Record<string, string>>;
  readonly timeZone: TimeZone;
}

const PATH = '/app/quotes';
const LABELS = { search: 'Buscar', status: 'Estado' };

export function quoteListPage(view: QuoteListView): { readonly title: string; readonly body: Html } {
  const title = 'Cotizaciones';
  const body = html`${heading(title)} ${filters(view)}
    <div id="resultados" aria-live="polite">${results(view)}</div>`;
  return { title, body };
}

function filters({ filter }: QuoteListView): Html {
  const fields = fieldSet(filter, LABELS);
  const statuses = QUOTE_STATUSES.map((value) => ({ value, label: STATUSES[value].label }));
  return html`<form
    class="filters"
    method="get"
    action="${PATH}"
    role="search"
    hx-get="${PATH}"
    hx-trigger="input delay:300ms from:find [type=search], change, submit"
    hx-select="#resultados"
    hx-target="#resultados"
    hx-swap="outerHTML"
    hx-sync="this:replace"
    data-replace-address
  >
    ${fields.text('search', { type: 'search', placeholder: 'Número, contacto o empresa', maxlength: 200, isLabelHidden: true })}
    ${fields.select('status', [{ value: '', label: 'Todos los estados' }, ...statuses], { isLabelHidden: true })}
    <button type="submit" class="button button-plain">Filtrar</button>
  </form>`;
}

function results(view: QuoteListView): Html {
  const { rows, query, nextCursor, total, timeZone } = view;
  const { cursor, ...filter } = query;
  if (rows.length === 0) return nothing(Object.keys(filter).length > 0);
  return html`${total === undefined ? null : html`<p class="count">${countOf(total)}</p>`}
  ${table(
    'Cotizaciones',
    [
      { label: 'Número' },
      { label: 'Cliente' },
      { label: 'Estado' },
      { label: 'Total', isNumber: true },
      { label: 'Creada' },
      { label: 'Vence' },
    ],
    rows.map((row) => ({ cells: cellsOf(row, timeZone) })),
  )}
  ${pagination({
    first: cursor === undefined ? undefined : listUrl(PATH, filter),
    next: nextCursor === null ? undefined : listUrl(PATH, { ...filter, cursor: nextCursor }),
  })}`;
}

const countOf = (total: number): string =>
  total === 1 ? '1 cotización' : `${total.toLocaleString('es-MX')} cotizaciones`;

const cellsOf = (row: QuoteRow, timeZone: TimeZone): readonly (Html | string)[] => [
  html`<a href="${PATH}/${row.id}">${row.displayNumber}</a>${
      row.title === null ? null : html`<span class="sub">${row.title}</span>`
    }`,
  html`${row.client.companyName ?? row.client.contactName}${
    row.client.companyName === null ? null : html`<span class="sub">${row.client.contactName}</span>`
  }`,
  statusChip(row.status, row.isExpired),
  money(row.total, row.currency),
  shortDay(row.createdAt, timeZone),
  shortDay(row.expiresAt, timeZone),
];

const nothing = (isFiltered: boolean): Html =>
  isFiltered
    ? emptyState({
        title: 'Ninguna cotización coincide',
        text: 'Pruebe con otra palabra o con todos los estados.',
        action: { label: 'Quitar los filtros', href: PATH },
      })
    : emptyState({
        title: 'Todavía no hay cotizaciones',
        text: 'Aquí verá cada cotización con su cliente, su total y lo que respondió.',
      });
