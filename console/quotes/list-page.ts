import { type Html, html } from '../../domain/html.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { emptyState } from '../empty-state.ts';
import { money, shortDay } from '../figures.ts';
import { errorSummary } from '../forms/form.ts';
import { heading } from '../layout.ts';
import { listUrl, pagination } from '../pagination.ts';
import { table } from '../tables.ts';
import { FILTER_LABELS, type FiltersView, quoteFilters, QUOTES_PATH } from './filters.ts';
import { labelChip } from './labels.ts';
import { statusChip } from './status.ts';
import type { Label } from './view.ts';

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
  readonly labels: readonly Label[];
}

export interface QuoteListView extends FiltersView {
  readonly rows: readonly QuoteRow[];
  /** Absent after the first page. */
  readonly total: number | undefined;
  readonly nextCursor: string | null;
  readonly query: Readonly<Record<string, string>>;
  readonly timeZone: TimeZone;
  readonly canCreate: boolean;
}

export function quoteListPage(view: QuoteListView): { readonly title: string; readonly body: Html } {
  const title = 'Cotizaciones';
  const isEmpty = view.rows.length === 0 && Object.keys(view.query).length === 0 && view.filter.errors.size === 0;
  const actions = isEmpty || !view.canCreate ? [] : [CREATE];
  const body = html`${heading(title, { actions })}
  ${
    isEmpty
      ? nothingYet(view)
      : html`${quoteFilters(view)}
          <div class="results-head">
            <p id="cuenta" class="count" role="status">${countOf(view)}</p>
            ${exportLinks(view)}
          </div>
          <div id="resultados">${results(view)}</div>`
  }`;
  return { title, body };
}

const CREATE = html`<a class="button button-main" href="${QUOTES_PATH}/new">Nueva cotización</a>`;

function results(view: QuoteListView): Html {
  const { rows, query, nextCursor, timeZone, filter } = view;
  const refused = errorSummary({ form: filter, labels: FILTER_LABELS, isLive: true });
  if (refused) return refused;
  const { cursor, ...chosen } = query;
  if (rows.length === 0) return NO_MATCH;
  const hasCreators = new Set(rows.map(({ user }) => user.name)).size > 1;
  return html` ${table(
    'Cotizaciones',
    [
      { label: 'Número' },
      { label: 'Cliente' },
      { label: 'Estado' },
      { label: 'Total', isNumber: true },
      ...(hasCreators ? [{ label: 'Creada por', isMinor: true }] : []),
      { label: 'Creada' },
      { label: 'Vence' },
    ],
    rows.map((row) => ({ cells: cellsOf(row, { timeZone, hasCreators }) })),
  )}
  ${pagination({
    first: cursor === undefined ? undefined : listUrl(QUOTES_PATH, chosen),
    next: nextCursor === null ? undefined : listUrl(QUOTES_PATH, { ...chosen, cursor: nextCursor }),
  })}`;
}

/** Announced when the filters change it. */
function countOf({ rows, total, filter }: QuoteListView): string {
  if (filter.errors.size > 0) return '';
  if (rows.length === 0) return 'Ninguna cotización';
  if (total === undefined) return 'Más cotizaciones';
  return total === 1 ? '1 cotización' : `${total.toLocaleString('es-MX')} cotizaciones`;
}

/** Files with the same filters; their order is always by number. */
function exportLinks({ rows, query: { sort: _sort, cursor: _cursor, ...filter } }: QuoteListView): Html {
  return html`<p id="exportar" class="exports">
    ${
      rows.length === 0
        ? null
        : html`Exportar: <a href="${listUrl(`${QUOTES_PATH}/export.csv`, filter)}">CSV</a>
            <a href="${listUrl(`${QUOTES_PATH}/export.xlsx`, filter)}">Excel</a>`
    }
  </p>`;
}

const cellsOf = (
  row: QuoteRow,
  { timeZone, hasCreators }: { readonly timeZone: TimeZone; readonly hasCreators: boolean },
): readonly (Html | string)[] => [
  html`<a href="${QUOTES_PATH}/${row.id}">${row.displayNumber}</a>${
      row.title === null ? null : html`<span class="sub">${row.title}</span>`
    }${row.labels.length === 0 ? null : html`<span class="chips">${row.labels.map(labelChip)}</span>`}`,
  html`${row.client.companyName ?? row.client.contactName}${
    row.client.companyName === null ? null : html`<span class="sub">${row.client.contactName}</span>`
  }`,
  statusChip(row.status, row.isExpired),
  money(row.total, row.currency),
  ...(hasCreators ? [row.user.name] : []),
  shortDay(row.createdAt, timeZone),
  shortDay(row.expiresAt, timeZone),
];

const NO_MATCH = emptyState({
  title: 'Ninguna cotización coincide',
  text: 'Pruebe con otra palabra, con otras fechas o sin filtros.',
  action: { label: 'Quitar los filtros', href: QUOTES_PATH },
});

const nothingYet = ({ canCreate }: QuoteListView): Html =>
  emptyState({
    title: 'Haga su primera cotización',
    text: 'Elija un cliente, agregue lo que ofrece y envíela por correo con su PDF. Aquí verá si la abrió y qué respondió.',
    ...(canCreate && { action: { label: 'Nueva cotización', href: `${QUOTES_PATH}/new` } }),
  });
