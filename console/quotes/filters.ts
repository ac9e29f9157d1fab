import { type Html, html } from '../../domain/html.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { fieldSet, type Option } from '../forms/fields.ts';
import { type FormState, valueOf } from '../forms/form-state.ts';
import { listUrl } from '../pagination.ts';
import { STATUSES } from './status.ts';

export const QUOTES_PATH = '/app/quotes';

/** The parameters of the list. */
export const QUOTE_FILTERS = [
  'search',
  'status',
  'clientId',
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

/** Those below «Más filtros». */
const MORE = ['userId', 'labelId', 'from', 'to', 'minTotal', 'maxTotal', 'reference', 'expired', 'sort'] as const;

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
}

const all = (label: string): Option => ({ value: '', label });

/** The form above the list. With the enhancement it changes the results as it is filled in. */
export function quoteFilters({ filter, clientName, creators, labels }: FiltersView): Html {
  const fields = fieldSet(filter, FILTER_LABELS);
  const statuses = QUOTE_STATUSES.map((value) => ({ value, label: STATUSES[value].label }));
  const isOpen = MORE.some((name) => valueOf(filter, name) !== '');
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
    <details class="more-filters" ${isOpen ? html`open` : null}>
      <summary>Más filtros y orden</summary>
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
    </details>
  </form>`;
}

function clientFilter(filter: FormState, name: string): Html {
  const rest = Object.fromEntries(
    [...filter.fields].flatMap(([field, values]) => (field === 'clientId' ? [] : [[field, values.at(-1) ?? '']])),
  );
  return html`<p class="filter-chip">
    <input type="hidden" name="clientId" value="${valueOf(filter, 'clientId')}" />
    Solo de <strong>${name}</strong>
    <a href="${listUrl(QUOTES_PATH, rest)}">Ver las de todos los clientes</a>
  </p>`;
}
