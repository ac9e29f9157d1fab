import { type Html, html } from '../../domain/html.ts';
import { Decimal } from '../../domain/money.ts';
import { canMove, QUOTE_STATUSES, type QuoteStatus } from '../../domain/quote-status.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { emptyState } from '../empty-state.ts';
import { money, shortDay } from '../figures.ts';
import { fieldSet } from '../forms/fields.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { listUrl } from '../pagination.ts';
import { STATUSES, statusChip } from '../quotes/status.ts';

export interface BoardQuote {
  readonly id: string;
  readonly displayNumber: string;
  readonly status: QuoteStatus;
  readonly total: string;
  readonly currency: string;
  readonly createdAt: string;
  readonly client: { readonly contactName: string; readonly companyName: string | null };
  readonly user: { readonly name: string };
}

/** Quotes of a stage: all are counted, the newest are shown. */
export interface Stage {
  readonly count: number;
  /** By currency. */
  readonly amounts: ReadonlyMap<string, string>;
  readonly quotes: readonly BoardQuote[];
}

export interface BoardView {
  readonly stages: ReadonlyMap<StageName, Stage>;
  readonly vendors: readonly { readonly id: string; readonly name: string }[];
  readonly filter: FormState;
  readonly query: Readonly<Record<string, string>>;
  /** The quote that was moved last, to say so. */
  readonly moved: BoardQuote | undefined;
  /** Why a move was refused. */
  readonly refusal: string | undefined;
  readonly timeZone: TimeZone;
  /** The address of the script for drag and drop. */
  readonly script: string;
}

/** The columns; an answer of the client is in the same one as that of the business. */
export const STAGES = {
  open: { label: 'Sin enviar', statuses: ['GENERATED'], to: 'GENERATED' },
  sent: { label: 'Enviadas', statuses: ['SENT'], to: 'SENT' },
  won: { label: 'Ganadas', statuses: ['WON', 'ACCEPTED'], to: 'WON' },
  lost: { label: 'Perdidas', statuses: ['LOST', 'REJECTED'], to: 'LOST' },
} as const satisfies Record<
  string,
  { readonly label: string; readonly statuses: readonly QuoteStatus[]; readonly to: QuoteStatus }
>;
export type StageName = keyof typeof STAGES;

export const stageOf = (status: QuoteStatus): StageName =>
  (Object.keys(STAGES) as StageName[]).find((name) => STAGES[name].statuses.some((each) => each === status)) ?? 'open';

/** Of each column; the rest is in the list. */
export const MAX_CARDS = 20;

export const PERIODS = { '30': '30 días', '90': '90 días', '365': 'Un año', all: 'Todas' } as const;

const PATH = '/app/pipeline';
const LABELS = { userId: 'Vendedor', days: 'Creadas en', minAmount: 'Total desde', maxAmount: 'Total hasta' };
/** On the button that moves a quote there. */
const MOVES: Partial<Record<QuoteStatus, string>> = {
  SENT: 'Marcar enviada',
  WON: 'Ganada',
  LOST: 'Perdida',
};

/** The open and decided quotes by stage. */
export function boardPage(view: BoardView): { readonly title: string; readonly body: Html } {
  const title = 'Embudo de ventas';
  const isEmpty = [...view.stages.values()].every(({ count }) => count === 0);
  const body = html`<script src="${view.script}" defer></script>
    ${heading(title, { lead: 'Mueva una cotización con sus botones, o arrástrela a otra columna.' })} ${filters(view)}
    <div id="tablero" data-board>${state(view)} ${isEmpty ? nothing(view) : columns(view)}</div>`;
  return { title, body };
}

function filters({ filter, vendors }: BoardView): Html {
  const fields = fieldSet(filter, LABELS);
  const optional = { isOptionalHidden: true } as const;
  return html`<form class="filters board-filters" method="get" action="${PATH}">
    ${fields.select(
      'userId',
      [{ value: '', label: 'Todos' }, ...vendors.map(({ id, name }) => ({ value: id, label: name }))],
      optional,
    )}
    ${fields.select(
      'days',
      // In this order: an object would put the numbers first anyway.
      Object.entries(PERIODS).map(([value, label]) => ({ value, label })),
      optional,
    )}
    ${fields.text('minAmount', { ...optional, inputmode: 'decimal' })}
    ${fields.text('maxAmount', { ...optional, inputmode: 'decimal' })}
    <button type="submit" class="button button-plain">Filtrar</button>
  </form>`;
}

/** What the last move did. It gets the focus, because the board is replaced. */
function state({ moved, refusal }: BoardView): Html | null {
  if (refusal !== undefined)
    return html`<div class="summary" role="alert" tabindex="-1" autofocus data-focus>
      <p class="summary-title">La cotización no se movió</p>
      <p>${refusal}</p>
    </div>`;
  if (!moved) return null;
  return html`<p class="notice notice-good" role="status" tabindex="-1" data-focus>
    ${moved.displayNumber} está ahora en «${STAGES[stageOf(moved.status)].label}».
  </p>`;
}

const columns = (view: BoardView): Html =>
  html`<div class="board">${(Object.keys(STAGES) as StageName[]).map((name) => column(name, view))}</div>`;

function column(name: StageName, view: BoardView): Html {
  const { label, to, statuses } = STAGES[name];
  const stage = view.stages.get(name);
  if (!stage) return html``;
  const { count, amounts, quotes } = stage;
  return html`<section class="stage" aria-labelledby="etapa-${name}" data-stage="${to}">
    <div class="stage-head">
      <h2 id="etapa-${name}">${label} <span class="stage-count">${count.toLocaleString('es-MX')}</span></h2>
      ${[...amounts].map(([currency, amount]) => html`<p class="stage-amount">${money(amount, currency)}</p>`)}
    </div>
    ${quotes.length === 0 ? html`<p class="stage-empty">Ninguna</p>` : null}
    <ul class="stage-cards">
      ${quotes.map((quote) => card(quote, view))}
    </ul>
    ${
      count > quotes.length
        ? html`<p class="stage-rest">
            Estas son las ${MAX_CARDS} más recientes.
            <a href="${listUrl('/app/quotes', { status: statuses[0] })}">Ver la lista</a>
          </p>`
        : null
    }
  </section>`;
}

function card(quote: BoardQuote, { query, timeZone }: BoardView): Html {
  const { id, displayNumber, status, total, currency, createdAt, client, user } = quote;
  const action = listUrl(`${PATH}/${id}/move`, query);
  const targets = QUOTE_STATUSES.filter((to) => canMove('member', status, to));
  const isAnswer = status === 'ACCEPTED' || status === 'REJECTED';
  return html`<li class="quote-card" data-quote="${action}" id="c-${id}">
    <div class="quote-card-top">
      <a href="/app/quotes/${id}">${displayNumber}</a>
      ${isAnswer ? statusChip(status, false) : null}
    </div>
    <p>${client.companyName ?? client.contactName}</p>
    <p class="quote-card-total">${money(total, currency)}</p>
    <p class="sub">${user.name} · ${shortDay(createdAt, timeZone)}</p>
    ${
      targets.length === 0
        ? null
        : html`<form class="quote-card-moves" method="post" action="${action}" data-once>
            ${targets.map(
              (to) =>
                html`<button type="submit" class="button button-plain button-small" name="status" value="${to}">
                  ${MOVES[to] ?? STATUSES[to].label}<span class="visually-hidden"> ${displayNumber}</span>
                </button>`,
            )}
          </form>`
    }
  </li>`;
}

function nothing({ query }: BoardView): Html {
  return Object.keys(query).length > 0
    ? emptyState({
        title: 'Ninguna cotización coincide',
        text: 'Pruebe con otro vendedor, otro periodo u otros importes.',
        action: { label: 'Quitar los filtros', href: PATH },
      })
    : emptyState({
        title: 'Todavía no hay cotizaciones en el embudo',
        text: 'Cada cotización nueva aparece en «Sin enviar» y avanza cuando la envía y cuando su cliente responde.',
        action: { label: 'Ver las cotizaciones', href: '/app/quotes' },
      });
}

/** Why a member may not move a quote there, as far as its status says. */
export function whyNot(quote: Pick<BoardQuote, 'displayNumber' | 'status'>): string {
  switch (quote.status) {
    case 'GENERATED':
      return `${quote.displayNumber} todavía no se envía. Envíela o márquela como enviada antes de darla por ganada o perdida.`;
    case 'SENT':
      return `${quote.displayNumber} ya se envió y no regresa a «Sin enviar». Si algo cambió, revísela y envíela otra vez.`;
    default:
      return `${quote.displayNumber} ya está decidida y no se mueve. Revísela para volver a ofrecerla.`;
  }
}

/** Sorts quotes into their stages, with the sum of each currency. */
export function stagesOf(quotes: readonly BoardQuote[]): ReadonlyMap<StageName, Stage> {
  return new Map(
    (Object.keys(STAGES) as StageName[]).map((name) => {
      const own = quotes.filter(({ status }) => stageOf(status) === name);
      const amounts = new Map<string, Decimal>();
      for (const { currency, total } of own)
        amounts.set(currency, (amounts.get(currency) ?? new Decimal(0)).plus(total));
      return [
        name,
        {
          count: own.length,
          amounts: new Map([...amounts].map(([currency, sum]) => [currency, sum.toFixed()])),
          quotes: own.slice(0, MAX_CARDS),
        },
      ];
    }),
  );
}
