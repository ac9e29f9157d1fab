import { type Html, html } from '../../domain/html.ts';
import { can, type Role } from '../../domain/permissions.ts';
import { hasFeature, type Plan } from '../../domain/plans.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { money } from '../figures.ts';
import { heading } from '../layout.ts';
import { QUOTES_PATH } from './filters.ts';
import { statusChip } from './status.ts';
import type { QuoteDetail } from './view.ts';

/** The signed-in user, as far as the pages of a quote differ. */
export interface Reader {
  readonly role: Role;
  readonly plan: Plan;
  readonly timeZone: TimeZone;
}

export const quotePath = ({ id }: Pick<QuoteDetail, 'id'>, page = ''): string =>
  `${QUOTES_PATH}/${id}${page === '' ? '' : `/${page}`}`;

export const recipientOf = ({ client }: Pick<QuoteDetail, 'client'>): string =>
  client.companyName ?? client.contactName;

interface FramedPage {
  readonly title: string;
  readonly body: Html;
}

interface Framed {
  readonly quote: QuoteDetail;
  readonly reader: Reader;
  /** The current page among those of the quote, as in its address. */
  readonly page: string;
  /** The page's own name; absent on the quote itself. */
  readonly name?: string;
  readonly actions?: readonly Html[];
  readonly content: Html;
}

/** The heading and the navigation that all pages of a quote share. */
export function quoteFrame({ quote, reader, page, name, actions, content }: Framed): FramedPage {
  const { displayNumber, status, isExpired, total, currency } = quote;
  const title = name === undefined ? displayNumber : `${name} · ${displayNumber}`;
  const lead = html`${statusChip(status, isExpired)} <span>${recipientOf(quote)}</span>
    <strong class="amount">${money(total, currency)}</strong>`;
  const body = html`<div class="quote-head">
      ${
        name === undefined
          ? html`<a class="back" href="${QUOTES_PATH}">Cotizaciones</a>`
          : html`<a class="back" href="${quotePath(quote)}">${displayNumber}</a>`
      }
      ${heading(name ?? (quote.title ? `${displayNumber} · ${quote.title}` : displayNumber), { lead: html`<span class="facts">${lead}</span>`, ...(actions && { actions }) })}
    </div>
    ${tabs(quote, { reader, page })} ${content}`;
  return { title, body };
}

function tabs(quote: QuoteDetail, { reader, page }: Pick<Framed, 'reader' | 'page'>): Html {
  const entries = [
    ['', 'Cotización'],
    ['messages', 'Mensajes'],
    ['history', 'Historial'],
    ['versions', 'Versiones'],
    ...(hasFeature(reader.plan, 'client_portal') ? ([['link', 'Enlace']] as const) : []),
    ...(can(reader.role, 'quotes:read_all') ? ([['runs', 'Ejecuciones']] as const) : []),
  ] as const;
  return html`<nav class="tabs" aria-label="De la cotización">
    <ul>
      ${entries.map(
        ([to, label]) =>
          html`<li>
            <a href="${quotePath(quote, to)}" ${to === page ? html`aria-current="page"` : null}>${label}</a>
          </li>`,
      )}
    </ul>
  </nav>`;
}
