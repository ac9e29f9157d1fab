import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { emptyState } from '../empty-state.ts';
import { moment } from '../figures.ts';
import { fieldSet } from '../forms/fields.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { listUrl, pagination } from '../pagination.ts';
import { table } from '../tables.ts';
import { ACTIONS, ENTITIES, MEMBERS } from './words.ts';

export interface AuditEntryView {
  readonly id: string;
  readonly action: string;
  readonly entity: string;
  readonly entityId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly user: { readonly name: string; readonly email: string } | null;
}

interface AuditListView {
  readonly entries: readonly AuditEntryView[];
  /** Absent after the first page. */
  readonly total: number | undefined;
  readonly nextCursor: string | null;
  readonly filter: FormState;
  readonly query: Readonly<Record<string, string>>;
  readonly people: readonly { readonly id: string; readonly name: string }[];
  readonly timeZone: TimeZone;
}

const PATH = '/app/audit-log';
const TITLE = 'Registro de cambios';
const LABELS = { action: 'Acción', entity: 'Qué', userId: 'Quién', from: 'Desde', to: 'Hasta' };

/** Who changed what, newest first. */
export function auditLogPage(view: AuditListView): { readonly title: string; readonly body: Html } {
  const { entries, query, nextCursor, total } = view;
  const { cursor, ...filter } = query;
  const body = html`${heading(TITLE, { lead: 'Quién hizo qué, y cuándo. Nadie puede cambiarlo ni borrarlo.' })}
  ${filters(view)}
  ${entries.length === 0 ? nothing(Object.keys(filter).length > 0) : html`${total === undefined ? null : html`<p class="count">${countOf(total)}</p>`} ${list(view)}`}
  ${pagination({
    first: cursor === undefined ? undefined : listUrl(PATH, filter),
    next: nextCursor === null ? undefined : listUrl(PATH, { ...filter, cursor: nextCursor }),
  })}`;
  return { title: TITLE, body };
}

const countOf = (total: number): string => (total === 1 ? '1 cambio' : `${total.toLocaleString('es-MX')} cambios`);

function filters({ filter, people }: AuditListView): Html {
  const fields = fieldSet(filter, LABELS);
  const optionsOf = (words: Readonly<Record<string, string>>, all: string) => [
    { value: '', label: all },
    ...Object.entries(words).map(([value, label]) => ({ value, label })),
  ];
  return html`<form class="filters" method="get" action="${PATH}">
    ${fields.select('action', optionsOf(ACTIONS, 'Todas'), { isOptionalHidden: true })}
    ${fields.select('entity', optionsOf(ENTITIES, 'Todo'), { isOptionalHidden: true })}
    ${fields.select(
      'userId',
      [{ value: '', label: 'Todas las personas' }, ...people.map(({ id, name }) => ({ value: id, label: name }))],
      { isOptionalHidden: true },
    )}
    ${fields.text('from', { type: 'date', isOptionalHidden: true })}
    ${fields.text('to', { type: 'date', isOptionalHidden: true })}
    <button type="submit" class="button button-plain">Filtrar</button>
  </form>`;
}

const list = ({ entries, timeZone }: AuditListView): Html =>
  table(
    TITLE,
    [{ label: 'Cuándo' }, { label: 'Quién' }, { label: 'Qué hizo' }, { label: 'Detalle' }],
    entries.map((entry) => ({
      cells: [
        moment(entry.createdAt, timeZone),
        entry.user === null
          ? html`<span class="soft">El servicio o el cliente</span>`
          : html`${entry.user.name}<span class="sub">${entry.user.email}</span>`,
        html`${ACTIONS[entry.action] ?? entry.action}: ${subjectOf(entry)}`,
        details(entry),
      ],
    })),
  );

/** "cotización 12", with a link to its page. */
function subjectOf({ entity, entityId, metadata }: AuditEntryView): Html {
  const name = ENTITIES[entity] ?? entity;
  const { quoteNumber } = metadata;
  const text = typeof quoteNumber === 'number' ? `${name} ${quoteNumber}` : name;
  return entity === 'quote' ? html`<a href="/app/quotes/${encodeURIComponent(entityId)}">${text}</a>` : html`${text}`;
}

function details({ metadata }: AuditEntryView): Html | string {
  const members = Object.entries(metadata);
  if (members.length === 0) return '';
  return html`<details>
    <summary>Ver</summary>
    <dl class="facts">
      ${members.map(
        ([name, value]) =>
          html`<div>
            <dt>${MEMBERS[name] ?? name}</dt>
            <dd>${typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>`,
      )}
    </dl>
  </details>`;
}

const nothing = (isFiltered: boolean): Html =>
  isFiltered
    ? emptyState({
        title: 'Ningún cambio coincide',
        text: 'Pruebe con otras fechas o con todas las acciones.',
        action: { label: 'Quitar los filtros', href: PATH },
      })
    : emptyState({ title: 'Todavía no hay cambios', text: 'Aquí queda cada alta, cambio y envío de su negocio.' });
