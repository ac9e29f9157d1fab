import { type Html, html } from '../../domain/html.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { fieldSet, type Option } from '../forms/fields.ts';
import { type FormState, valueOf } from '../forms/form-state.ts';
import { listUrl } from '../pagination.ts';
import { STATUSES } from './status.ts';

export const QUOTES_PATH = '/app/quotes';

/** Those that are shown on request: what they offer is read only then. */
export const MORE_FILTERS = [
  'userId',
  'labelId',
  'from',
  'to',
  'minTotal',
  'maxTotal',
  'reference',
  'expired',
  'sort',
] as const;

/** The parameters of the list. */
export const QUOTE_FILTERS = ['search', 'status', 'clientId', ...MORE_FILTERS] as const;

export const FILTER_LABELS = {
  search: 'Buscar',
  status: 'Estado',
  clientId: 'Cliente',
  userId: 'Creada por',
  labelId: 'Etiqueta',
  from: 'Creada desde',
  to: 'Creada hasta',
  minTotal: 'Total desde',
  maxTotal: 'Total hasta',
  reference: 'Referencia',
  expired: 'Vigencia',
  sort: 'Orden',
  cursor: 'Página',
};

const ORDERS: readonly Option[] = [
  { value: '', label: 'Más recientes' },
  { value: 'quoteNumber', label: 'Más antiguas' },
  { value: '-total', label: 'Mayor total' },
  { value: 'total', label: 'Menor total' },
  { value: 'expiresAt', label: 'Vencen primero' },
  { value: '-expiresAt', label: 'Vencen al final' },
];

export interface FiltersView {
  readonly filter: FormState;
  /** The client of the filter; clients are chosen on their own pages. */
  readonly clientName: string | undefined;
  /** Empty for those who see only their own quotes. */
  readonly creators: readonly Option[];
  readonly labels: readonly Option[];
  /** Shows all filters. */
  readonly hasMore: boolean;
}

const all = (label: string): Option => ({ value: '', label });

/** The form above the list. With the enhancement it changes the results as it is filled in. */
export function quoteFilters({ filter, clientName, creators, labels, hasMore }: FiltersView): Html {
  const fields = fieldSet(filter, FILTER_LABELS);
  const statuses = QUOTE_STATUSES.map((value) => ({ value, label: STATUSES[value].label }));
  return html`<form
    class="filters"
    method="get"
    action="${QUOTES_PATH}"
    role="search"
    hx-get="${QUOTES_PATH}"
    hx-trigger="input delay:300ms from:find [type=search], change, submit"
    hx-select="#resultados"
    hx-target="#resultados"
    hx-swap="outerHTML"
    hx-select-oob="#cuenta:innerHTML,#exportar:innerHTML"
    hx-sync="this:replace"
    data-replace-address
  >
    ${fields.text('search', { type: 'search', placeholder: 'Número, contacto o empresa', maxlength: 200, isLabelHidden: true })}
    ${fields.select('status', [all('Todos los estados'), ...statuses], { isLabelHidden: true })}
    <button type="submit" class="button button-plain">Filtrar</button>
    ${clientName === undefined ? null : clientFilter(filter, clientName)}
    ${
      hasMore
        ? html`<input type="hidden" name="more" value="1" />
            <fieldset class="more-filters">
              <legend class="visually-hidden">Más filtros y orden</legend>
              <div class="filter-grid">
                ${fields.select('sort', ORDERS)}
                ${fields.select('expired', [all('Todas'), { value: 'false', label: 'Vigentes' }, { value: 'true', label: 'Vencidas' }])}
                ${labels.length === 0 ? null : fields.select('labelId', [all('Todas'), ...labels])}
                ${creators.length === 0 ? null : fields.select('userId', [all('Todos'), ...creators])}
                ${fields.text('from', { type: 'date' })} ${fields.text('to', { type: 'date' })}
                ${fields.text('minTotal', { inputmode: 'decimal', maxlength: 20 })}
                ${fields.text('maxTotal', { inputmode: 'decimal', maxlength: 20 })}
                ${fields.text('reference', { maxlength: 60 })}
              </div>
            </fieldset>`
        : html`<p class="more-filters"><a href="${moreUrl(filter)}">Más filtros y orden</a></p>`
    }
  </form>`;
}

function clientFilter(filter: FormState, name: string): Html {
  const { clientId: _clientId, ...rest } = queryOf(filter);
  return html`<p class="filter-chip">
    <input type="hidden" name="clientId" value="${valueOf(filter, 'clientId')}" />
    Solo de <strong>${name}</strong>
    <a href="${listUrl(QUOTES_PATH, rest)}">Ver las de todos los clientes</a>
  </p>`;
}

const moreUrl = (filter: FormState): string => listUrl(QUOTES_PATH, { ...queryOf(filter), more: 1 });

/** The first page with these filters. */
function queryOf({ fields }: FormState): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...fields].flatMap(([name, values]) => (name === 'cursor' ? [] : [[name, values.at(-1) ?? '']])),
  );
}
