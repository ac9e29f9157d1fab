import { type Html, html } from '../domain/html.ts';
import { fieldSet, type Option } from './forms/fields.ts';
import type { FormState } from './forms/form-state.ts';

interface SearchForm {
  readonly path: string;
  readonly filter: FormState;
  readonly placeholder: string;
  /** The choices of the filter `active`. */
  readonly states: readonly Option[];
}

const LABELS = { search: 'Buscar', active: 'Estado' };

/** The search of a list with a state; with htmx it filters while somebody types. The list has the id `resultados`. */
export function searchForm({ path, filter, placeholder, states }: SearchForm): Html {
  const fields = fieldSet(filter, LABELS);
  return html`<form
    class="filters"
    method="get"
    action="${path}"
    role="search"
    hx-get="${path}"
    hx-trigger="input delay:300ms from:find [type=search], change, submit"
    hx-select="#resultados"
    hx-target="#resultados"
    hx-swap="outerHTML"
    hx-sync="this:replace"
    data-replace-address
  >
    ${fields.text('search', { type: 'search', placeholder, maxlength: 200, isLabelHidden: true })}
    ${fields.select('active', states, { isLabelHidden: true })}
    <button type="submit" class="button button-plain">Filtrar</button>
  </form>`;
}
